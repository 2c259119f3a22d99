"""Which configurations are learned tables that differ in sigma alone."""

from stages.parameters.params import Architecture, Params

DEFAULT_INIT_STD = 0.1  # of a learned table without init_std in params.yaml; a test compares the scheme's


def learned_sigmas(settings: Params, task: str) -> dict[str, float]:
    """Configuration -> sigma of a task's learned tables in the usual model, nothing else changed."""
    configurations = {name: settings.configuration(task, name) for name in settings.configurations(task)}
    return {
        name: float(configuration.settings.get("init_std", DEFAULT_INIT_STD))
        for name, configuration in configurations.items()
        if configuration.scheme == "learned"
        and set(configuration.settings) <= {"init_std"}
        and configuration.architecture == Architecture()
    }
