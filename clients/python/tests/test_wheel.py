"""What the build script makes, of programs that are only heads of programs."""
import importlib.util
import os
import pathlib
import re
import struct
import subprocess
import sys
import zipfile

import pytest

from mock_apns import find_program

SCRIPT = pathlib.Path(os.environ.get("MOCK_APNS_SOURCE") or pathlib.Path(__file__).resolve().parent.parent, "wheel.py")
pytestmark = pytest.mark.skipif(not SCRIPT.exists() or sys.version_info < (3, 11), reason="the build script is run by Python 3.11 or later")


@pytest.fixture(scope="module")
def wheel():
    spec = importlib.util.spec_from_file_location("wheel", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def elf(machine, *segments):
    head = bytearray(64 + 56 * len(segments))
    head[:4] = b"\x7fELF"
    struct.pack_into("<H", head, 18, machine)
    struct.pack_into("<Q", head, 32, 64)
    struct.pack_into("<HH", head, 54, 56, len(segments))
    for index, kind in enumerate(segments):
        struct.pack_into("<I", head, 64 + 56 * index, kind)
    return bytes(head)


def mach(processor, major, minor=0):
    commands = struct.pack("<IIQ", 0x19, 16, 0) + struct.pack("<IIIIII", 0x32, 24, 1, major << 16 | minor << 8, 0, 0)
    return struct.pack("<IIIIIIII", 0xFEEDFACF, processor, 0, 2, 2, len(commands), 0, 0) + commands


@pytest.mark.parametrize("content, tags", [
    (elf(0x3E, 1, 2), "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    (elf(0xB7, 1), "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    (elf(0x3E, 6, 3, 1), "linux_x86_64"), (elf(0xB7, 3), "linux_aarch64"),
    (mach(0x0100000C, 13, 3), "macosx_13_0_arm64"), (mach(0x01000007, 10, 15), "macosx_10_15_x86_64"),
])
def test_the_tags_of_a_program(wheel, tmp_path, content, tags):
    program = tmp_path / "mock-apns"
    program.write_bytes(content)
    name = wheel.write_wheel(tmp_path, str(program))
    assert name == f"mock_apns-{wheel.version()}-py3-none-{tags}.whl"
    with zipfile.ZipFile(tmp_path / name) as archive:
        assert archive.testzip() is None
        bundled = archive.getinfo("mock_apns/bin/mock-apns")
        assert bundled.external_attr >> 16 & 0o777 == 0o755
        assert archive.read(bundled) == content
        text = archive.read(f"mock_apns-{wheel.version()}.dist-info/WHEEL").decode()
        assert re.findall("^Tag: py3-none-(.*)$", text, re.M) == tags.split(".")


@pytest.mark.parametrize("content", [b"#!/bin/sh\n", elf(0x28, 1), mach(7, 13), b""])
def test_what_no_wheel_is_made_of(wheel, tmp_path, content):
    program = tmp_path / "mock-apns"
    program.write_bytes(content)
    with pytest.raises(SystemExit, match="no wheel is made for|neither a Linux nor a macOS program"):
        wheel.write_wheel(tmp_path, str(program))
    assert not list(tmp_path.glob("*.whl"))


def test_a_platform_for_another_processor_is_refused(wheel, tmp_path):
    program = tmp_path / "mock-apns"
    program.write_bytes(elf(0x3E, 1))
    with pytest.raises(SystemExit, match="is for x86_64"):
        wheel.write_wheel(tmp_path, str(program), "manylinux2014_aarch64")


def test_a_program_of_another_version_is_refused(wheel, tmp_path):
    program = tmp_path / "mock-apns"
    program.write_text("#!/bin/sh\necho mock-apns 0.0.0\n")
    program.chmod(0o755)
    with pytest.raises(SystemExit, match="build the program anew"):
        wheel.write_wheel(tmp_path, str(program))


def test_one_version_number(wheel):
    """The source's, the program's, and no other in a file of this package."""
    said = subprocess.run([find_program(), "version"], capture_output=True, text=True, check=True).stdout
    assert said.strip() == f"mock-apns {wheel.version()}"
    for path in [SCRIPT, SCRIPT.parent / "pyproject.toml", *SCRIPT.parent.glob("src/**/*.py"), SCRIPT.parent / "README.md"]:
        assert wheel.version() not in path.read_text(), path


def test_the_same_input_makes_the_same_bytes(wheel, tmp_path):
    for folder in ("a", "b"):
        wheel.write_wheel(tmp_path / folder)
        wheel.write_sdist(tmp_path / folder)
    for first in (tmp_path / "a").iterdir():
        assert first.read_bytes() == (tmp_path / "b" / first.name).read_bytes()
