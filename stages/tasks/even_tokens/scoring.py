"""Scores of Even Token Prediction."""

from stages.tasks.scoring.words import WordScoring

SCORING = WordScoring()
