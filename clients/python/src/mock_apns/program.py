"""Where the program is, and whether it can run here."""

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Optional

from .errors import MockAPNsError

#: Where a wheel for a platform has the program.
BUNDLED = Path(__file__).parent / "bin" / "mock-apns"

_ELF = {0x3E: "x86_64", 0xB7: "aarch64"}
_MACH_O = {0x01000007: "x86_64", 0x0100000C: "arm64"}


def this_platform() -> str:
    """The system and processor of this machine, as in `linux-x86_64`."""
    return f"{sys.platform}-{platform.machine()}"


def find_program(given: Optional[str] = None) -> str:
    """The path of the program: the one that is given, MOCK_APNS_PROGRAM, the one in the wheel, or PATH."""
    named, origin = (given, "program") if given else (os.environ.get("MOCK_APNS_PROGRAM"), "MOCK_APNS_PROGRAM")
    if named:
        if os.path.isfile(named):
            return os.path.abspath(named)
        raise MockAPNsError(f"{origin} is {named}, and there is no such file; set it to the path of mock-apns, or unset it.")
    if BUNDLED.is_file():
        return str(BUNDLED)
    for folder in os.get_exec_path():
        found = shutil.which("mock-apns", path=folder)
        # The console script of this package has no program to give; it would only come back here.
        if found and not _is_script(found):
            return found
    raise MockAPNsError(
        f"The program mock-apns was not found: this installation has none for {this_platform()} and PATH has none; "
        "install the wheel for this platform, or set MOCK_APNS_PROGRAM to the path of mock-apns."
    )


def _is_script(path: str) -> bool:
    with open(path, "rb") as file:
        head = file.read(200)
    return head.startswith(b"#!") and b"python" in head


def check_program(path: str) -> None:
    """Raises, in one sentence with the fix, when the head of the program says that it cannot run here."""
    made = made_for(path)
    if made and not fits(made, sys.platform, platform.machine()):
        raise MockAPNsError(
            f"{path} is a program for {made}, and this is {this_platform()}; "
            f"install the wheel for {this_platform()}, or set MOCK_APNS_PROGRAM to a program for it."
        )
    if not os.access(path, os.X_OK):
        raise MockAPNsError(f"{path} may not be executed; run chmod +x {path}.")


def fits(made: str, system: str, machine: str) -> bool:
    """Whether a program that was made for one platform runs on another."""
    if made == "darwin-universal":
        return system == "darwin"
    # Rosetta runs the other processor's programs.
    return made == f"{system}-{machine.replace('amd64', 'x86_64')}" or (system == "darwin" and made == "darwin-x86_64")


def made_for(path: str) -> Optional[str]:
    """The platform that a program was built for, from its first bytes; None for a script and the like."""
    try:
        with open(path, "rb") as file:
            head = file.read(20).ljust(20, b"\0")
    except OSError:
        return None
    if head[:4] == b"\x7fELF":
        return f"linux-{_ELF.get(int.from_bytes(head[18:20], 'little'), 'another processor')}"
    if head[:4] == b"\xcf\xfa\xed\xfe":
        return f"darwin-{_MACH_O.get(int.from_bytes(head[4:8], 'little'), 'another processor')}"
    if head[:4] == b"\xca\xfe\xba\xbe":
        return "darwin-universal"
    return "win32" if head[:2] == b"MZ" else None
