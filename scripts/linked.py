#!/usr/bin/env python3
"""What is linked into the static program: its licences, and a list of its parts for scanners (SBOM, CycloneDX 1.5).

usage: linked.py licences PROGRAM FOLDER
       linked.py sbom PROGRAM VERSION FILE
       linked.py check FILE                    validates FILE with the schema of cyclonedx-python-lib

The versions are those of this machine's packages: run it where the program was built. The program itself tells OpenSSL's and
libevent's; where they are others, nothing is written.
"""
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

# What the linker takes archives from: package of Debian, name, licence, the text in the program that has its version.
DEBIAN = [
    ("libssl-dev", "openssl", "Apache-2.0", rb"OpenSSL (\d+\.\d+\.\d+)[^\d.]"),
    ("libnghttp2-dev", "nghttp2", "MIT", None),
    ("libevent-dev", "libevent", "BSD-3-Clause", rb"(\d+\.\d+\.\d+)-stable"),
    ("libc6-dev", "glibc", "LGPL-2.1-or-later", rb"GNU C Library \(.*?version (\d+\.\d+)"),
    ("libstdc++-12-dev", "libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", None),
]
SWIFT = "Apache-2.0 WITH Swift-exception"
NOTE = """What is linked into this program
================================

{rows}
The program itself is under Apache-2.0 (LICENSE); its source is public. ICU is not in it: of Foundation only FoundationEssentials is.

The GNU C Library is under the LGPL 2.1. With the program's source and `make static` you can link the program with a changed copy of
it; nothing in our terms forbids that, or to look into the program for it. Its source is that of the Debian package of the given
version, https://sources.debian.org/src/glibc/. libstdc++ and libgcc are under the GPL 3 with the GCC runtime library exception, which
allows programs under other terms.
"""


def fail(text):
    sys.exit(f"linked.py: {text}")


def package_version(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    if asked.returncode or not asked.stdout:
        fail(f"{package} is not installed here; run this on the Debian machine where the program was built")
    return asked.stdout


def swift():
    """The toolchain's version and its licence; SWIFT_VERSION and SWIFT_LICENSE say them where it is not in PATH."""
    place = shutil.which("swiftc")
    version, licence = os.environ.get("SWIFT_VERSION"), os.environ.get("SWIFT_LICENSE")
    if place and not version:
        said = subprocess.run([place, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.search(r"Swift version (\S+)", said)[1]
    if place and not licence:
        licence = next((str(each / "share/swift/LICENSE.txt") for each in Path(place).resolve().parents
                        if (each / "share/swift/LICENSE.txt").exists()), None)
    if not version or not licence:
        fail("the Swift toolchain is not in PATH; give SWIFT_VERSION and SWIFT_LICENSE (its share/swift/LICENSE.txt)")
    return version, licence


def parts(program):
    """Name, version, licence, file of the licence and package URL of each part."""
    data = Path(program).read_bytes()
    found = []
    for package, name, licence, pattern in DEBIAN:
        version = package_version(package)
        own = {each.decode() for each in re.findall(pattern, data)} if pattern else set()
        upstream = re.sub(r"^\d+:|-[^-]*$", "", version).removesuffix("-stable")
        if own and upstream not in own:
            fail(f"{program} has {name} {', '.join(sorted(own))}, and {package} is {version} here; "
                 "run this on the machine where the program was built")
        found.append((name, version, licence, f"/usr/share/doc/{package}/copyright", f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}"))
    version, licence = swift()
    for name, what in [("swift", "runtime and standard library, libdispatch"), ("swift-foundation", "FoundationEssentials")]:
        found.append((f"{name} ({what})", version, SWIFT, licence, f"pkg:github/swiftlang/{name}@swift-{version}-RELEASE"))
    return found


def licences(program, folder):
    rows = ""
    for name, version, licence, file, _ in parts(program):
        short = name.split(" ")[0]
        rows += f"{name}  {version}\n    {licence}; licences/{short}.txt\n"
        shutil.copyfile(file, Path(folder, f"{short}.txt"))
    Path(folder, "README.txt").write_text(NOTE.format(rows=rows + "\n"))


def sbom(program, version, file):
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    own = {"type": "application", "bom-ref": "mock-apns", "name": "mock-apns", "version": version,
           "licenses": [{"license": {"id": "Apache-2.0"}}], "hashes": [{"alg": "SHA-256", "content": digest}]}
    components = [
        {"type": "library", "bom-ref": url, "name": name.split(" ")[0], "version": each, "purl": url,
         # CycloneDX knows an expression where SPDX has no id of its own for the exception.
         "licenses": [{"license": {"name": licence}} if "Swift" in licence else {"expression": licence}]}
        for name, each, licence, _, url in parts(program)]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
        # The same program has the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'mock-apns:' + digest)}", "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": own},
        "components": components,
        "dependencies": [{"ref": "mock-apns", "dependsOn": [each["bom-ref"] for each in components]}]}
    Path(file).write_text(json.dumps(document, indent=2) + "\n")


def check(file):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(Path(file).read_text())
    if fault:
        fail(f"{file} is no CycloneDX 1.5: {str(fault).splitlines()[0]}")
    print(f"{file} is CycloneDX 1.5")


if __name__ == "__main__":
    commands = {"licences": (licences, 2), "sbom": (sbom, 3), "check": (check, 1)}
    command, count = commands.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if not command or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    command(*sys.argv[2:])
