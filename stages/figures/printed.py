"""Size pictures in print, also for pages, which are made without drawing."""

DOTS = 160  # per inch
SMALL = 7.5  # points, of labels and captions
