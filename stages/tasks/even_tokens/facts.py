"""Even Token Prediction: facts of the task `even_tokens`."""

from stages.tasks.bases.shared_facts import WordFacts


class EvenTokensFacts(WordFacts):
    name = "even_tokens"
    title = "Even tokens"


FACTS = EvenTokensFacts()
