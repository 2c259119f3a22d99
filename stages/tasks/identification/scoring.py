"""Scores of Position Identification."""

from stages.tasks.scoring.words import WordScoring

SCORING = WordScoring()
