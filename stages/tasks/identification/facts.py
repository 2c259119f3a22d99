"""Position Identification: facts of the task `identification`."""

from stages.tasks.bases.shared_facts import WordFacts


class IdentificationFacts(WordFacts):
    name = "identification"
    title = "Position identification"


FACTS = IdentificationFacts()
