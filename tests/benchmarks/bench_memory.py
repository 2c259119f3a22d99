"""Peak memory of a row of the table, in MB.

On the CPU each row runs in a process of its own, since a process never forgets its peak.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import torch
from workloads import Loop, case

from stages.training import device


def peak_mb(name: str, size: str, loop: Loop, where: torch.device) -> float:
    """Above what Python with torch takes (CPU), or allocated on the GPU."""
    if where.type == "cpu":
        command = [sys.executable, __file__, name, size, json.dumps(asdict(loop))]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    case(name, size, loop, where)[0]()
    return torch.cuda.max_memory_allocated() / 1e6


def resident_mb() -> float:
    """This process's peak so far; what getrusage says would include the parent's (Linux alone)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    status = dict(line.split(":", 1) for line in lines)
    return int(status["VmHWM"].split()[0]) * 1024 / 1e6


if __name__ == "__main__":
    cpu = device.choose_device("cpu")
    before_mb = resident_mb()
    case(sys.argv[1], sys.argv[2], Loop(**json.loads(sys.argv[3])), cpu)[0]()
    print(resident_mb() - before_mb)
