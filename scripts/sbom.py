#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a built program is made of, as an SPDX 2.3 document (JSON): sbom.py PROGRAM VERSION > sluice.spdx.json

Every shared library that the program needs, with the Debian package that it is of, its version and checksum, and the libraries
that are compiled in. Needs ldd and dpkg-query. The time is that of SOURCE_DATE_EPOCH, so that the same build gives the same document."""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

COMPILED_IN = ("libcli11-dev", "nlohmann-json3-dev", "libgomp1")  # headers, and OpenMP as a static library
ARCHIVES = {"libhdf5": "libhdf5-dev", "libcairo": "libcairo2-dev"}  # linked from archives where they are not shared libraries


def query(*words):
    return subprocess.run(["dpkg-query", *words], capture_output=True, text=True, check=False).stdout


def owner(library):
    """(package, version) of a file, or None. dpkg knows /lib/… and /usr/lib/… as different names of one file."""
    for name in (library, os.path.realpath(library), "/usr" + library, re.sub("^/usr", "", os.path.realpath(library))):
        found = query("-S", name).split(":")[0]
        if found:
            return found, query("-W", "-f=${Version}", found).splitlines()[0]
    return None


def libraries(program):
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return sorted(set(re.findall(r"(/\S+) \(0x", text)))


def sha256(file):
    return {"algorithm": "SHA256", "checksumValue": hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, **more):
    return {"name": name, "SPDXID": identifier(name), "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", **more}


def debian(name, version):
    return package(name, version, externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                                 "referenceLocator": f"pkg:deb/debian/{name}@{version}"}])


def document(program, version):
    found = {}
    for library in libraries(program):
        name, number = owner(library) or (os.path.basename(library), "NOASSERTION")
        found.setdefault((name, number), []).append(library)
    packages = [package("sluice", version, licenseConcluded="Apache-2.0", licenseDeclared="Apache-2.0", checksums=[sha256(program)])]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-sluice"}]
    for (name, number), files in sorted(found.items()):
        one = debian(name, number)
        one["comment"] = ", ".join(os.path.basename(file) for file in files)
        packages.append(one)
        relations.append({"spdxElementId": "SPDXRef-sluice", "relationshipType": "DYNAMIC_LINK", "relatedSpdxElement": identifier(name)})
    shared = " ".join(file for files in found.values() for file in files)
    for name in COMPILED_IN + tuple(package for library, package in ARCHIVES.items() if f"/{library}" not in shared):
        number = query("-W", "-f=${Version}", name)
        if number and (name, number) not in found:
            packages.append(debian(name, number))
            relations.append({"spdxElementId": "SPDXRef-sluice", "relationshipType": "STATIC_LINK", "relatedSpdxElement": identifier(name)})
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sluice-{version}",
            "documentNamespace": f"urn:sluice:{version}:{packages[0]['checksums'][0]['checksumValue'][:16]}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: sluice-sbom"]},
            "packages": packages, "relationships": relations}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    json.dump(document(sys.argv[1], sys.argv[2]), sys.stdout, indent=1)
    print()
