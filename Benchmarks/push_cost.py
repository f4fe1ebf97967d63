#!/usr/bin/env python3
"""CPU per accepted push beside the floor of the work, with the inspection log on and off, in one run.

The floor (floor.c) moves the same bytes through the same two C libraries and judges nothing. The figure is a process's own
CPU time per request, user and system, so the load generator on the other core does not count; rounds alternate between
floor and servers, so a slow minute of the machine hits all alike; the median of the per-round ratios is printed last.

exit: 0 measured (and within --bound-on / --bound-off when given), 1 over a bound or a request failed
"""
import argparse
import json
import pathlib
import statistics
import tempfile

from common import PAYLOAD, PROGRAM, cpu_seconds, floor, load, provider_token, server


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    options.add_argument("--requests", type=int, default=100_000, help="pushes a round")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--connections", type=int, default=4)
    options.add_argument("--streams", type=int, default=100, help="concurrent streams of a connection")
    options.add_argument("--payload", type=pathlib.Path, help="a JSON file instead of the built-in payload")
    options.add_argument("--bound-on", type=float, help="fail when the ratio with the log on is above this")
    options.add_argument("--bound-off", type=float, help="fail when the ratio with --log off is above this")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        body = chosen.payload or pathlib.Path(folder) / "payload.json"
        if not chosen.payload:
            body.write_text(json.dumps(PAYLOAD, separators=(",", ":")))
        size = body.stat().st_size
        certs = pathlib.Path(folder) / "certs"
        with server(program=chosen.program, certs=certs, log="inspection.ndjson") as logged, \
                server(program=chosen.program, certs=certs, log="off") as unlogged, \
                floor(certs / "server.pem", certs / "server.key") as (bottom, bottom_port):
            facts = logged.facts
            token = provider_token(facts["keyFile"], facts["keyId"], facts["teamId"])
            subjects = {"floor": (bottom.pid, bottom_port), "log on": (logged.pid, logged.port), "log off": (unlogged.pid, unlogged.port)}
            cost, rate = {name: [] for name in subjects}, {name: [] for name in subjects}
            for round_number in range(chosen.rounds + 1):  # the first round warms up and is not counted
                for name, (pid, port) in subjects.items():
                    before = cpu_seconds(pid)
                    speed = load(port, token, chosen.requests, chosen.connections, chosen.streams, body)
                    if round_number:
                        cost[name].append((cpu_seconds(pid) - before) / chosen.requests * 1e6)
                        rate[name].append(speed)
    failed = False
    print(f"payload {size} bytes, "
          f"{chosen.rounds} rounds of {chosen.requests} pushes, {chosen.connections} connections x {chosen.streams} streams")
    print(f"floor    {statistics.median(cost['floor']):6.2f} us CPU/push")
    for name, bound in (("log on", chosen.bound_on), ("log off", chosen.bound_off)):
        ratios = [ours / theirs for ours, theirs in zip(cost[name], cost["floor"])]
        ratio = statistics.median(ratios)
        throughput = statistics.median(ours / theirs for ours, theirs in zip(rate[name], rate["floor"]))
        over = bound is not None and ratio > bound
        failed |= over
        print(f"{name:8} {statistics.median(cost[name]):6.2f} us CPU/push   ratio {ratio:.2f} (min {min(ratios):.2f}, max {max(ratios):.2f})"
              f"   throughput beside the floor {throughput:.2f}{f'   OVER {bound}' if over else ''}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
