import os

# Torch's threads spin while they wait for each other. Where another program holds a core, that made training
# up to twenty times slower; a short spin costs nothing measurable. Read once, when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")
