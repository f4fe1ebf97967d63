#!/usr/bin/env python3
"""Milliseconds from starting the program to its ready line, with certificates present: the median and worst of many starts."""
import argparse
import pathlib
import statistics
import tempfile
import time

from common import PROGRAM, server


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    options.add_argument("--starts", type=int, default=50)
    options.add_argument("--bound", type=float, help="fail when the median is above this")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        certs = pathlib.Path(folder) / "certs"
        with server(program=chosen.program, certs=certs):
            pass  # makes the certificates
        times = []
        for _ in range(chosen.starts):
            began = time.perf_counter()
            with server(program=chosen.program, certs=certs):
                times.append((time.perf_counter() - began) * 1e3)
    print(f"ready after {statistics.median(times):.1f} ms (median of {chosen.starts}; min {min(times):.1f}, max {max(times):.1f})")
    raise SystemExit(1 if chosen.bound and statistics.median(times) > chosen.bound else 0)


if __name__ == "__main__":
    main()
