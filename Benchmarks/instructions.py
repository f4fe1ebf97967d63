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

from common import HERE, PAYLOAD, PROGRAM, floor, load, provider_token

THRESHOLDS = HERE / "thresholds.json"


def callgrind(folder):
    """The command that counts, and the file with the result."""
    result = folder / "callgrind.out"
    result.unlink(missing_ok=True)
    return ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={result}"], result


def total(result):
    """All instructions of a run that has ended."""
    return int(re.search(r"^totals: (\d+)", result.read_text(), re.MULTILINE).group(1))


def of_server(program, folder, log, pushes, body):
    """The instructions of a server that answers so many pushes."""
    runner, result = callgrind(folder)
    command = [*runner, str(program), "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--ready", "json",
               "--exit-on-stdin-close", "--certs", str(folder / "certs"), "--log", log, "-q"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    facts = json.loads(process.stdout.readline())
    token = provider_token(facts["keyFile"], facts["keyId"], facts["teamId"])
    load(facts["apns"]["port"], token, pushes, 2, 100, body)
    process.stdin.close()
    process.wait(60)
    return total(result)


def of_floor(folder, pushes, body):
    """The instructions of the floor for as many requests."""
    runner, result = callgrind(folder)
    certs = folder / "certs"
    with floor(certs / "server.pem", certs / "server.key", *runner) as (_, port):
        key = next(certs.glob("AuthKey_*.p8"))
        load(port, provider_token(key, key.stem.removeprefix("AuthKey_"), "MOCKTEAM01"), pushes, 2, 100, body)
    return total(result)


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
        of_server(chosen.program, folder, "off", 200, body)  # makes the certificates

        def each(count):
            return round((count(2 * chosen.pushes) - count(chosen.pushes)) / chosen.pushes)

        bottom = each(lambda pushes: of_floor(folder, pushes, body))
        print(f"floor    {bottom:6} instructions/push", flush=True)
        for kind, log in (("log on", str(folder / "inspection.ndjson")), ("log off", "off")):
            count = each(lambda pushes: of_server(chosen.program, folder, log, pushes, body))
            over = count > thresholds[kind]
            failed |= over
            print(f"{kind:8} {count:6} instructions/push   {count / bottom:.2f} times the floor   at most {thresholds[kind]}"
                  f"{'   OVER' if over else ''}", flush=True)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
