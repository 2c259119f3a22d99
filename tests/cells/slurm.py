"""A real Slurm of two logical nodes on this machine, without systemd, in a folder of its own.

Needs root and Debian's slurmctld, slurmd, slurm-client and munge. Nothing of the system's own is touched.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import socket

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
CONFIGURATION = """\
ClusterName=here
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
KillWait=2
InactiveLimit=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=8000 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def why_not() -> str:
    """Say why there is no Slurm to test with; "" if there is."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return "" if os.geteuid() == 0 else "Slurm's daemons need root here"


@contextmanager
def running_slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Run Slurm meanwhile. Yields the environment variables with which its commands find it."""
    host = os.uname().nodename.split(".")[0]
    (folder / "state").mkdir(parents=True)
    folder.chmod(0o755)
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    (folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, folder=folder, ports=find_ports(3)))
    variables = {"SLURM_CONF": str(folder / "slurm.conf")}
    names = ("socket", "key-file", "pid-file", "log-file", "seed-file")
    files = [f"--{name}={folder}/munge.{name.removesuffix('-file')}" for name in names]
    daemons = [
        ["munged", "--foreground", "--force", *files],
        ["slurmctld", "-D"],
        ["slurmd", "-D", "-N", "n1"],
        ["slurmd", "-D", "-N", "n2"],
    ]
    started = []
    try:
        for daemon in daemons:
            started.append(subprocess.Popen(daemon, env=os.environ | variables, stderr=subprocess.DEVNULL))
            time.sleep(0.5)
        wait_for_nodes(variables)
        yield variables
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(timeout=20)


def find_ports(count: int) -> list[int]:
    """Find ports that are free, as another Slurm may run beside this one."""
    with ExitStack() as stack:
        found = [stack.enter_context(socket()) for _ in range(count)]
        for one in found:
            one.bind(("", 0))
        return [one.getsockname()[1] for one in found]


def wait_for_nodes(variables: dict[str, str]) -> None:
    for _ in range(100):
        states = slurm(variables, "sinfo", "-h", "-N", "-t", "idle,mixed,allocated", "-o", "%N")
        if len(set(states.split())) == 2:
            return
        time.sleep(0.2)
    raise AssertionError(f"Slurm's nodes do not come up: {slurm(variables, 'sinfo')}")


def slurm(variables: dict[str, str], *command: str) -> str:
    """Return what a command of Slurm prints."""
    return subprocess.run(command, env=os.environ | variables, capture_output=True, text=True).stdout
