#!/usr/bin/env python3
"""Makes the wheels and the source distribution; standard library only.

usage: wheel.py PROGRAM OUT [PLATFORM]    a wheel with the program in it
       wheel.py --sdist OUT               the source distribution

The platform is read from the program: manylinux and musllinux for a static Linux program, plain linux for one that needs
libraries of this machine (for tests; no registry takes it), macosx with the oldest system that the program names. PLATFORM
gives other tags, with dots between them.

It is the build backend of pyproject.toml too: `pip wheel . -C program=FILE`; without a program the wheel is for any platform,
and finds mock-apns by MOCK_APNS_PROGRAM or PATH.
"""
import base64
import hashlib
import io
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# What both kinds of archive have as their time, so that the same input makes the same bytes.
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def version():
    """The one version number: of the Swift source, or of the source distribution that this is."""
    source = ROOT / "Sources" / "Server" / "Start" / "Version.swift"
    if (HERE / "PKG-INFO").exists():
        return re.search(r"^Version: (\S+)$", (HERE / "PKG-INFO").read_text(), re.M)[1]
    return re.search(r'static let current = "([^"]+)"', source.read_text())[1]


def project():
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    return tomllib.loads((HERE / "pyproject.toml").read_text())["project"]


def licence():
    return next(path for path in (HERE / "LICENSE", ROOT / "LICENSE") if path.exists()).read_bytes()


def metadata():
    facts = project()
    lines = [
        "Metadata-Version: 2.4", f"Name: {facts['name']}", f"Version: {version()}", f"Summary: {facts['description']}",
        f"License-Expression: {facts['license']}", "License-File: LICENSE", f"Keywords: {','.join(facts['keywords'])}",
        *(f"Classifier: {each}" for each in facts["classifiers"]), f"Requires-Python: {facts['requires-python']}",
        "Description-Content-Type: text/markdown", "", (HERE / facts["readme"]).read_text()]
    return "\n".join(lines).encode()


def entry_points():
    facts = project()
    groups = {"console_scripts": facts["scripts"], **facts["entry-points"]}
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items()) for group, entries in groups.items()
    ).encode()


def platform_of(program):
    """The platform tags of a program, from its head."""
    data = Path(program).read_bytes()
    if len(data) >= 64 and data[:4] == b"\x7fELF":
        machine = {0x3E: "x86_64", 0xB7: "aarch64"}.get(struct.unpack_from("<H", data, 18)[0])
        if not machine:
            sys.exit(f"wheel.py: {program} is a program for a processor that no wheel is made for; wanted x86-64 or arm64")
        if is_dynamic(data):
            return f"linux_{machine}"
        return f"manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
    if len(data) >= 64 and data[:4] == b"\xcf\xfa\xed\xfe":
        machine = {0x01000007: "x86_64", 0x0100000C: "arm64"}.get(struct.unpack_from("<I", data, 4)[0])
        if machine:
            return f"macosx_{oldest_macos(data)}_{machine}"
    sys.exit(f"wheel.py: {program} is neither a Linux nor a macOS program; give the file that `make static` or `make build` makes")


def is_dynamic(data):
    """Whether an ELF file asks for a loader."""
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    return any(struct.unpack_from("<I", data, start + index * size)[0] == 3 for index in range(count))


def oldest_macos(data):
    """The oldest macOS of a Mach-O file, from LC_BUILD_VERSION."""
    count, = struct.unpack_from("<I", data, 16)
    place = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, place)
        if command == 0x32:
            oldest, = struct.unpack_from("<I", data, place + 12)
            # From macOS 11 on pip knows tags by the major version alone.
            return f"{oldest >> 16}_{0 if oldest >> 16 > 10 else oldest >> 8 & 255}"
        place += size
    sys.exit("wheel.py: the macOS program does not say which macOS it needs; give the platform, such as macosx_13_0_arm64")


def check_version(program):
    """A program that runs here must be of this version."""
    try:
        said = subprocess.run([program, "version"], capture_output=True, text=True, timeout=20).stdout.strip()
    except OSError:
        return  # For another platform.
    if said != f"mock-apns {version()}":
        sys.exit(f"wheel.py: {program} says {said!r}, and the source is version {version()}; build the program anew")


def sources():
    return sorted(path for path in (HERE / "src" / "mock_apns").iterdir() if path.suffix == ".py" or path.name == "py.typed")


def write_wheel(folder, program=None, platform=None):
    """Writes the wheel; returns its name."""
    if program:
        check_version(program)
        own = platform_of(program)
        machine = next(each for each in ("x86_64", "aarch64", "arm64") if own.endswith(each))
        if platform and not all(tag.endswith((machine, "universal2")) for tag in platform.split(".")):
            sys.exit(f"wheel.py: {program} is for {machine}, and the platform {platform} is not; leave it out, or give another program")
        platform = platform or own
    tags = (platform or "any").split(".")
    name = f"mock_apns-{version()}-py3-none-{'.'.join(tags)}.whl"
    info = f"mock_apns-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: mock-apns\nRoot-Is-Purelib: {'false' if program else 'true'}\n"
    wheel += "".join(f"Tag: py3-none-{tag}\n" for tag in tags)
    files = [(f"mock_apns/{path.name}", path.read_bytes(), 0o644) for path in sources()]
    if program:
        files.append(("mock_apns/bin/mock-apns", Path(program).read_bytes(), 0o755))
    files += [
        (f"{info}/{name}", data, 0o644) for name, data in
        [("METADATA", metadata()), ("WHEEL", wheel.encode()), ("entry_points.txt", entry_points()), ("licenses/LICENSE", licence())]]
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
        for path, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    import time
    Path(folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(path, time.gmtime(TIME)[:6])
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return name


def write_sdist(folder):
    """Writes the source distribution; returns its name."""
    import gzip
    base = f"mock_apns-{version()}"
    files = [(path.relative_to(HERE), path.read_bytes()) for path in
             [HERE / "pyproject.toml", HERE / "wheel.py", HERE / "README.md", *sources(), *sorted((HERE / "tests").glob("*.py"))]]
    files += [("LICENSE", licence()), ("PKG-INFO", metadata())]
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), TIME, 0o644
            archive.addfile(entry, io.BytesIO(data))
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, f"{base}.tar.gz").write_bytes(gzip.compress(plain.getvalue(), mtime=TIME))
    return f"{base}.tar.gz"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    settings = config_settings or {}
    return write_wheel(wheel_directory, settings.get("program"), settings.get("platform"))


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517."""
    return write_sdist(sdist_directory)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--sdist":
        name = write_sdist(arguments[1])
    elif len(arguments) in (2, 3) and not arguments[0].startswith("-"):
        program, folder, *platform = arguments
        if not os.path.isfile(program):
            sys.exit(f"wheel.py: there is no program {program}; build it with `make static` or `swift build`, or give PROGRAM=FILE")
        name = write_wheel(folder, program, *platform)
    else:
        sys.exit(__doc__)
    print(os.path.join(arguments[-1] if arguments[0] == "--sdist" else arguments[1], name))


if __name__ == "__main__":
    main(sys.argv[1:])
