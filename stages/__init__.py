import os

# A stage computes on one thread, since stages run beside each other: with more, every small operation waits
# for threads that another process keeps from their core. Training has its own number, compute.threads.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# Torch's threads spin while they wait for each other. Where another program holds a core, that made training
# up to twenty times slower; a short spin costs nothing measurable. Read once, when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")
