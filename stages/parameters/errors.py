"""What a user can mend: told in one line, without a traceback."""


class InputError(ValueError):
    """A mistake in what the user gave. The message names the value, what was expected and the cure."""
