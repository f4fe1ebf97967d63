"""`mock-apns` and `python -m mock_apns`: the program itself, in the place of this process."""

import os
import sys
from typing import NoReturn

from .errors import MockAPNsError
from .program import check_program, find_program


def main() -> NoReturn:
    """Runs the program with the arguments of this process."""
    try:
        program = find_program()
        check_program(program)
        os.execv(program, ["mock-apns", *sys.argv[1:]])
    except MockAPNsError as error:
        sys.exit(f"mock-apns: {error}")
    except OSError as error:
        sys.exit(f"mock-apns: {program} cannot be started ({error.strerror}); set MOCK_APNS_PROGRAM to another.")


if __name__ == "__main__":
    main()
