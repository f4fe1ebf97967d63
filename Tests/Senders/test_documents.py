"""The OpenAPI document is valid, and the server does what it says: no 5xx, no status that is not in it."""
import json
import pathlib
import re
import subprocess
import sys

import httpx
import json5
import jsonschema
import pytest
from conftest import PROGRAM, MockAPNs
from openapi_spec_validator import validate

# Streams have no end, and a stopped server answers nothing.
LEFT_OUT = ["/v1/events", "/v1/shutdown"]


@pytest.fixture
def other(tmp_path):
    """A server of its own, as random calls reset clocks, keys and journal."""
    process = subprocess.Popen(
        [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--ready", "json", "--exit-on-stdin-close",
         "--certs", tmp_path / "certs", "--log", "off", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield MockAPNs(json.loads(process.stdout.readline()))
    process.stdin.close()
    assert process.wait(20) == 0


def test_the_document_is_valid(apns):
    document = json.loads(apns.run("openapi").stdout)
    validate(document)
    assert document == httpx.get(apns.admin + "/openapi.json").json()


# A method that HTTP/1.1 servers need not know is answered 501, as RFC 9110 asks for; random ones are therefore left out.
CONFIGURATION = """
[phases.coverage]
unexpected-methods = ["TRACE"]
"""


def test_random_calls_find_no_server_error_and_no_undocumented_status(other, tmp_path):
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    for title in ("Shipped", "Delivered"):
        sent = subprocess.run(
            [PROGRAM, "send", "--url", other.url, "--ca", other.ca, "--key", f"{other.key_file}:{other.key_id}:{other.team_id}",
             "--to", "6f1e" + "0" * 60, "--title", title], capture_output=True, text=True)
        assert sent.returncode == 0, sent.stderr
    command = [
        pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", tmp_path / "schemathesis.toml", "run", other.admin + "/openapi.json", "--url", other.admin,
        "--checks", "not_a_server_error,status_code_conformance", "--seed", "1", "--max-examples", "5", "--phases", "examples,coverage,fuzzing", "--request-timeout", "70"]
    for path in LEFT_OUT:
        command += ["--exclude-path", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    print(done.stdout[-20_000:])
    assert done.returncode == 0, re.sub(r"\s+\n", "\n", done.stdout[-20_000:])
    assert httpx.get(other.admin + "/livez").status_code == 200


def test_the_schema_takes_what_the_server_takes_and_refuses_what_it_refuses(other, tmp_path):
    schema = httpx.get(other.admin + "/schema/config.json").json()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    def faults(value):
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]

    # What `init` writes, with its examples too, and the sample of the documentation.
    assert subprocess.run([PROGRAM, "init"], cwd=tmp_path, capture_output=True).returncode == 0
    text = (tmp_path / "mock-apns.json").read_text()
    assert faults(json5.loads(text)) == []
    examples = re.sub(r"^  // ((?:\w+: |  |\]|\}).*)$", r"  \1", text, flags=re.M)
    full = json5.loads(examples)
    assert {"seed", "keys", "devices", "rules", "apps", "namespaces"} <= set(full)
    assert faults(full) == []
    page = (pathlib.Path(__file__).parents[2] / "docs/configuration.md").read_text()
    sample = re.search(r"```json5\n(.*?)```", page, re.S).group(1)
    assert faults(json5.loads(sample)) == []
    # What a server says of itself, with something of everything in it.
    body = {key: full[key] for key in ("devices", "rules", "apps", "namespaces")}
    put = httpx.put(other.admin + "/v1/state", json=body)
    assert put.status_code == 200, put.text
    assert faults(httpx.get(other.admin + "/v1/state").json()) == []

    for wrong in [{"profil": "strict"}, {"profile": "strickt"}, {"seed": -1}, {"devices": [{"tken": "ab"}]}, {"devices": [{}]},
                  {"keys": [{"teamId": "ABC123DEFG"}]}, {"rules": [{"thn": {}}]}, {"rules": [{"then": {"rason": "Shutdown"}}]},
                  {"apps": {"com.acme": {"nme": "x"}}}, {"namespaces": [{"name": "a", "namespaces": []}]}]:
        assert faults(wrong), wrong
        (tmp_path / "wrong.json").write_text(json.dumps(wrong))
        assert subprocess.run([PROGRAM, "config", "check", "wrong.json"], cwd=tmp_path, capture_output=True).returncode == 78, wrong
