#!/usr/bin/env python3
"""How soon a waiting test has its push, and how soon one push too many ends it.

Two hundred calls wait, each for a device of its own, while 10,000 pushes arrive at a given rate over TLS; the figure is
the time from the journal's `receivedAt` to the last byte of the answer at the guest, so the guest's own time counts. Then
`exactly=1` within `settle`, and `exactly=0`, are ended by a push, again and again. Clocks are those of one machine, in
whole milliseconds at the server.

exit: 0 measured (and within the bounds when given), 1 over a bound, or somebody had no answer or another's
"""
import argparse
import asyncio
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from common import PROGRAM, TOPIC, provider_token, server


async def ask(address, target):
    """One GET over a connection of its own; status, body and the moment when the answer was there."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read(-1)
    now = time.time()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body), now


def received(entry):
    """`receivedAt` in seconds since 1970."""
    import datetime
    return datetime.datetime.fromisoformat(entry["receivedAt"]).timestamp()


async def waiting(address, count):
    """Returns when so many calls wait."""
    while (await ask(address, "/v1/info"))[1]["journal"]["waiters"] < count:
        await asyncio.sleep(0.005)


async def push(run, token, targets, rate=None):
    """Sends one push to each path with h2load."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as urls, tempfile.NamedTemporaryFile("w") as body:
        urls.write("\n".join(f"{run.url}{target}" for target in targets) + "\n")
        urls.flush()
        body.write('{"aps":{"alert":"hi"}}')
        body.flush()
        command = ["h2load", "-n", str(len(targets)), "-c", "1", "-m", "100", "-i", urls.name, "-d", body.name,
                   "-H", f"apns-topic: {TOPIC}", "-H", "apns-push-type: alert", "-H", f"authorization: bearer {token}"]
        if rate:
            command += [f"--rps={rate}"]
        process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        output = (await process.communicate())[0].decode()
    if f"status codes: {len(targets)} 2xx" not in output:
        sys.exit(f"{output}\nnot every push was answered 200")


async def many(run, token, options):
    devices = [f"{number + 1:064x}" for number in range(options.waits)]
    calls = [asyncio.create_task(ask(run.facts["admin"], f"/v1/notifications?device={device}&wait=60s")) for device in devices]
    await waiting(run.facts["admin"], options.waits)
    every = options.pushes // options.waits
    targets = [f"/3/device/{number // every + 1 if number % every == 0 else 1_000_000 + number:064x}" for number in range(options.pushes)]
    await push(run, token, targets, options.rate)
    latencies = []
    for device, call in zip(devices, calls):
        status, body, now = await call
        if status != 200 or [item["device"] for item in body["items"]] != [device]:
            sys.exit(f"the wait for {device} was answered {status} {body}")
        latencies.append((now - received(body["items"][0])) * 1000)
    return latencies


async def surplus(run, token, query, options):
    latencies = []
    for number in range(options.rounds):
        device = f"{2_000_000 + number:064x}"
        cursor = (await ask(run.facts["admin"], "/v1/cursor"))[1]["cursor"]
        if query.startswith("exactly=1"):
            await push(run, token, [f"/3/device/{device}"])
        call = asyncio.create_task(ask(run.facts["admin"], f"/v1/notifications?device={device}&after={cursor}&{query}"))
        await waiting(run.facts["admin"], 1)
        await push(run, token, [f"/3/device/{device}"])
        status, body, now = await call
        if status != 417 or "arrived where" not in body["title"]:
            sys.exit(f"{query} was answered {status} {body}")
        entry = (await ask(run.facts["admin"], f"/v1/requests/{body['matches'][-1]['id']}"))[1]
        latencies.append((now - received(entry)) * 1000)
    return latencies


def report(name, latencies, bound):
    ordered = sorted(latencies)
    worst = ordered[-1]
    over = bound is not None and worst > bound
    print(f"{name:34} median {statistics.median(ordered):5.1f} ms   99 % {ordered[int(len(ordered) * 0.99)]:5.1f} ms"
          f"   longest {worst:5.1f} ms{f'   OVER {bound}' if over else ''}")
    return over


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--waits", type=int, default=200)
    parser.add_argument("--pushes", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=2000, help="pushes a second")
    parser.add_argument("--rounds", type=int, default=20, help="of one push too many")
    parser.add_argument("--bound", type=float, help="milliseconds within which a wait must have its push")
    parser.add_argument("--surplus-bound", type=float, help="milliseconds within which one push too many must end a wait")
    options = parser.parse_args()
    with server(program=options.program) as run:
        token = provider_token(run.facts["keyFile"], run.facts["keyId"], run.facts["teamId"])
        over = report(f"{options.waits} waits, {options.pushes} pushes", asyncio.run(many(run, token, options)), options.bound)
        for query in ("exactly=1&settle=20s&wait=30s", "exactly=0&wait=30s"):
            over |= report(query, asyncio.run(surplus(run, token, query, options)), options.surplus_bound)
    raise SystemExit(1 if over else 0)


if __name__ == "__main__":
    main()
