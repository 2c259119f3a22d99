"""Run by a Python that has roc-validator: what a crate does not meet of profiles, a line each.

The JSON-LD context comes from the rocrate package, so that no network is needed.
"""

import sys
from importlib.resources import files
from typing import Any

import requests
from rocrate_validator import services
from rocrate_validator.utils.http import HttpRequester


def get(_: HttpRequester, url: str, **__: Any) -> requests.Response:
    """What the network would answer: the context, and nothing else."""
    response = requests.Response()
    response.status_code = 200 if url == "https://w3id.org/ro/crate/1.1/context" else 404
    response.headers["Content-Type"] = "application/ld+json"
    response._content = (files("rocrate") / "data/ro-crate.jsonld").read_bytes()
    return response


HttpRequester.get = get
folder, severity, profile = sys.argv[1:]
settings = {"rocrate_uri": folder, "requirement_severity": severity, "profile_identifier": profile}
for issue in services.validate(settings).get_issues():
    print(issue.check.identifier, issue.violatingEntity, issue.message)
