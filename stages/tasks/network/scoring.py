"""Scores of the network's masked nodes."""

from stages.tasks.scoring.masked import MaskedScoring

SCORING = MaskedScoring()
