#!/usr/bin/env python3
"""Instructions per accepted push, counted by callgrind: the same on a busy machine as on an idle one, so that a change which
makes a push dearer is seen at once. Counts what the process itself executes, the C libraries included, the kernel not.

Two runs that differ only in the number of pushes cancel the start of the program. Needs valgrind and h2load.

exit: 0 within the thresholds of thresholds.json, 1 above one or a request failed
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from common import HERE, PAYLOAD, PROGRAM, load, provider_token

THRESHOLDS = HERE / "thresholds.json"


def instructions(program, folder, log, pushes, body):
    """All instructions of a run in which so many pushes are answered."""
    ready = folder / "ready.json"
    ready.unlink(missing_ok=True)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}", str(program), "serve",
               "--listen", "127.0.0.1:0", "--admin-listen", "off", "--ready", "json", "--exit-on-stdin-close",
               "--certs", str(folder / "certs"), "--log", log, "-q"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    facts = json.loads(process.stdout.readline())
    token = provider_token(facts["keyFile"], facts["keyId"], facts["teamId"])
    load(facts["apns"]["port"], token, pushes, 2, 100, body)
    _, errors = process.communicate()
    return int(re.search(r"Collected : (\d+)", errors).group(1))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    options.add_argument("--pushes", type=int, default=5000)
    chosen = options.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("instructions.py needs valgrind: apt-get install valgrind")
    thresholds = json.loads(THRESHOLDS.read_text())["instructionsPerPush"]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        body = folder / "payload.json"
        body.write_text(json.dumps(PAYLOAD, separators=(",", ":")))
        instructions(chosen.program, folder, "off", 200, body)  # makes the certificates
        for kind, log in (("log on", str(folder / "inspection.ndjson")), ("log off", "off")):
            few = instructions(chosen.program, folder, log, chosen.pushes, body)
            many = instructions(chosen.program, folder, log, 2 * chosen.pushes, body)
            count = round((many - few) / chosen.pushes)
            over = count > thresholds[kind]
            failed |= over
            print(f"{kind:8} {count:6} instructions/push   at most {thresholds[kind]}{'   OVER' if over else ''}", flush=True)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
