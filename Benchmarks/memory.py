#!/usr/bin/env python3
"""Resident memory while pushes arrive at default limits: flat after the journal is full, whatever the number of pushes."""
import argparse
import json
import pathlib
import tempfile

from common import PAYLOAD, PROGRAM, load, provider_token, resident_mebibytes, server


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    options.add_argument("--pushes", type=int, default=1_000_000)
    options.add_argument("--steps", type=int, default=10)
    options.add_argument("--bound", type=float, help="fail when the resident mebibytes at the end are above this")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        body = pathlib.Path(folder) / "payload.json"
        body.write_text(json.dumps(PAYLOAD, separators=(",", ":")))
        with server(program=chosen.program, log="inspection.ndjson") as running:
            token = provider_token(running.facts["keyFile"], running.facts["keyId"], running.facts["teamId"])
            print(f"at start {resident_mebibytes(running.pid):7.1f} MiB")
            for step in range(1, chosen.steps + 1):
                load(running.port, token, chosen.pushes // chosen.steps, 4, 100, body)
                resident = resident_mebibytes(running.pid)
                print(f"{chosen.pushes // chosen.steps * step:9} pushes {resident:7.1f} MiB", flush=True)
    raise SystemExit(1 if chosen.bound and resident > chosen.bound else 0)


if __name__ == "__main__":
    main()
