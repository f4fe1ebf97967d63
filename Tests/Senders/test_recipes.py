"""The recipes of the documents run as they are printed, each against a server of its own.

A block is marked by a comment in the line above it, `<!-- run: NAME option=value … -->`; blocks of one name run after each other.
The program finds the server by the variables of `mock-apns exec`; the addresses of a server with default ports are replaced by
those of the recipe's. Options:

  pushes=N      so many pushes are accepted (1); no push is refused unasked, and none is left over
  needs=A,B     what the recipe is skipped without, beside its language: command:NAME, module:NAME (Python), php:NAME
  hosts         the server has port 443 of 127.0.77.1, to which /etc/hosts sends Apple's names; needs namespaces of Linux
  trust         the variables by which languages find their trusted roots are set, by `exec --trust`
  refused       pushes may be refused
  flags=A,B     flags of the server
  packages=DIR  a folder of further Python packages, beside those of requirements.txt

`<!-- prints: NAME -->` is above what a recipe prints, `<!-- file: NAME PATH -->` above a file that it reads. In a block of the
language `console`, lines after `$ ` are run, and the others are what they print. What a reader need not see is in the folder
recipes/NAME: files that lie beside the recipe (those of the document are appended to them), before.sh and after.sh around its blocks.
"""
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from conftest import PROGRAM

SUPPLIES = pathlib.Path(__file__).resolve().parent / "recipes"
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "certs/README.md", "docs/senders.md", "docs/scripting.md"]
# The languages of blocks: what the file is called, what runs it, and the commands that takes.
LANGUAGES = {
    "sh": ("recipe.sh", None, []),
    "python": ("recipe.py", "python recipe.py", []),
    "go": ("main.go", "go run main.go", ["go"]),
    "js": ("recipe.mjs", "node recipe.mjs", ["node"]),
    "java": ("Main.java", "java Main.java", ["java", "javac"]),
    "php": ("recipe.php", "php recipe.php", ["php"]),
    "ruby": ("recipe.rb", "ruby recipe.rb", ["ruby"]),
    "elixir": ("recipe.exs", "elixir recipe.exs", ["elixir"]),
    "erlang": ("recipe.escript", "escript recipe.escript", ["escript"]),
}
OPTIONS = {"pushes", "needs", "hosts", "trust", "refused", "flags", "packages"}
MARK = re.compile(r"^<!-- (run|prints|file): ([^\s>]+)([^\n]*?) -->\n```(\w*)\n(.*?)^```$", re.M | re.S)
# The line for /etc/hosts, as docs/senders.md has it.
HOSTS = re.search(r"^echo '(.*)' \| sudo tee -a /etc/hosts$", (ROOT / "docs/senders.md").read_text(), re.M).group(1)


@dataclasses.dataclass
class Recipe:
    """What one name of a document stands for."""

    document: str
    name: str
    options: dict = dataclasses.field(default_factory=dict)
    blocks: list = dataclasses.field(default_factory=list)
    prints: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)


def read(document, text):
    """The recipes of a document, by name, in its order."""
    marks = re.findall(r"^<!-- (?:run|prints|file):", text, re.M)
    found = MARK.findall(text)
    assert len(marks) == len(found), f"{document}: a mark stands above no code block"
    recipes = {}
    for kind, name, rest, language, body in found:
        recipe = recipes.setdefault(name, Recipe(document, name))
        words = rest.split()
        if kind == "file":
            path = words.pop(0)
            recipe.files[path] = recipe.files.get(path, "") + body
        elif kind == "prints":
            recipe.prints.append(body)
        elif language == "console":
            # A console block also shows commands that end with 1, such as `explain` of a bad file; what they print is compared.
            recipe.blocks += [("sh", f"{command} || true\n") for command in re.findall(r"^\$ (.*)$", body, re.M)]
            recipe.prints.append(re.sub(r"^\$ .*\n", "", body, flags=re.M))
        else:
            assert language in LANGUAGES, f"{document}: {name}: nothing runs {language}"
            recipe.blocks.append((language, body))
        recipe.options |= {key: value for key, _, value in (word.partition("=") for word in words)}
    for recipe in recipes.values():
        for file in sorted(SUPPLIES.joinpath(recipe.name).glob("*")):
            if file.name == "before.sh":
                recipe.blocks.insert(0, ("sh", file.read_text()))
            elif file.name == "after.sh":
                recipe.blocks.append(("sh", file.read_text()))
            else:
                recipe.files[file.name] = file.read_text() + recipe.files.get(file.name, "")
        assert recipe.blocks, f"{document}: {recipe.name} has no block to run"
        unknown = set(recipe.options) - OPTIONS
        assert not unknown, f"{document}: {recipe.name}: {unknown}"
    return list(recipes.values())


RECIPES = [recipe for document in DOCUMENTS for recipe in read(document, (ROOT / document).read_text())]


def missing(recipe):
    """What the recipe needs and this machine lacks."""
    lacks = [command for language, _ in recipe.blocks for command in LANGUAGES[language][2] if not shutil.which(command)]
    for need in filter(None, recipe.options.get("needs", "").split(",")):
        kind, _, name = need.partition(":")
        probe = {"module": [sys.executable, "-c", f"import {name}"], "command": [name, "--version"],
                 "php": ["php", "-r", f"exit(extension_loaded('{name}') ? 0 : 1);"]}[kind]
        if not shutil.which(probe[0]) or subprocess.run(probe, env=environment(recipe), capture_output=True).returncode:
            lacks.append(name)
    return lacks


def environment(recipe):
    """The variables of the recipe's process: its Python is the one with the senders, and nothing of the caller's server."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MOCK_APNS_") and not key.endswith("_proxy")}
    if "packages" in recipe.options:
        kept["PYTHONPATH"] = str(pathlib.Path(sys.prefix) / recipe.options["packages"])
    return kept


def script(recipe, folder):
    """Lays the recipe's files into the folder; returns the shell script that runs them."""
    lines = ["set -euo pipefail"]
    for path, body in recipe.files.items():
        (folder / path).write_text(body)
        (folder / path).chmod(0o755)
    for number, (language, body) in enumerate(recipe.blocks):
        name, command, _ = LANGUAGES[language]
        if language == "sh":
            lines.append(f"source block{number}.sh")
            (folder / f"block{number}.sh").write_text(body)
        else:
            lines.append(command)
            (folder / name).write_text(body)
    (folder / "recipe.sh").write_text("\n".join(lines) + "\n")


# Runs beside the server: puts its addresses in, runs, then says what has come.
BESIDE = r"""
sed -i "s|127\.0\.0\.1:2197|$MOCK_APNS_HOST:$MOCK_APNS_PORT|g; s|localhost:2197|localhost:$MOCK_APNS_PORT|g; s|http://127\.0\.0\.1:2198|$MOCK_APNS_ADMIN|g" \
    $(find . -maxdepth 1 -type f -size -64k)
bash ./recipe.sh >printed 2>failed || { code=$?; cat printed failed >&2; exit $code; }
mock-apns wait --exactly $PUSHES --settle 100ms --for "$WITHIN" -o json >arrived.json || { cat printed failed arrived.json >&2; exit 1; }
mock-apns rules ls -o json >rules.json
"""
# Its own network and its own /etc/hosts: nothing of the machine changes.
APART = r"""
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh14s", b"lo", 0x49, b""))
os.execvp("sh", ["sh", "-c", "mount --bind etc-hosts /etc/hosts && exec \"$@\"", "sh", *sys.argv[1:]])
"""


def apart():
    """The start of a command that runs with a network and mounts of its own, or None where that is not allowed."""
    for command in (["unshare", "-m", "-n"], ["unshare", "-r", "-m", "-n"]):
        probe = "mount --bind /etc/hosts /etc/hosts"
        if shutil.which("unshare") and subprocess.run([*command, "sh", "-c", probe], capture_output=True).returncode == 0:
            return command
    return None


def plain(text):
    """Text without what differs each time: ids, tokens, times and the width of columns."""
    text = re.sub(r"\b[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b", "UUID", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "TOKEN", text)
    text = re.sub(r"\bn_\w+", "ID", text)
    text = re.sub(r"\d\d:\d\d:\d\d(\.\d+)?", "TIME", text)
    text = re.sub(r"\r", "", text)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: f"{recipe.document}:{recipe.name}")
def test_recipe(recipe, tmp_path):
    lacks = missing(recipe)
    if lacks:
        # Languages that are heavy to install run where they are present; run.sh prints what was left out.
        pytest.skip(f"not here: {', '.join(lacks)}")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "mock-apns").symlink_to(PROGRAM)
    # This Python, which has the senders. Recipes that ask for root run where they have it, and then need no sudo.
    for name, command in {"python": shlex.quote(sys.executable), "python3": shlex.quote(sys.executable), "sudo": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (tools / name).chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    script(recipe, folder)
    command = [PROGRAM, "exec", "-q", "--certs", "certs", "--log", "off"]
    command += [] if "refused" in recipe.options else ["--fail-on", "rejected"]
    command += recipe.options.get("flags", "").split(",") if "flags" in recipe.options else []
    command += ["--trust"] if "trust" in recipe.options else []
    if "hosts" in recipe.options:
        start = apart()
        if start is None:
            pytest.skip("not here: the right to a network and mounts of its own")
        (folder / "etc-hosts").write_text(f"127.0.0.1 localhost\n{HOSTS}\n")
        command = [*start, sys.executable, "-c", APART, *command, "--listen", "127.0.77.1:443"]
    variables = environment(recipe) | {"PUSHES": recipe.options.get("pushes", "1"), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    # What was pushed has come when the recipe is over; a wait for nothing is a wait to its end.
    variables["WITHIN"] = "200ms" if variables["PUSHES"] == "0" else "5s"
    variables |= {"PATH": f"{tools}:{variables['PATH']}", "GOCACHE": str(pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "go-cache")}
    done = subprocess.run([*command, "--", "bash", "-c", "set -e\n" + BESIDE], cwd=folder, env=variables, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    assert json.loads((folder / "rules.json").read_text())["items"] == [], "the recipe leaves a rule behind"
    if recipe.prints:
        assert plain((folder / "printed").read_text()) == plain("".join(recipe.prints))


def test_a_recipe_that_does_not_push_fails(tmp_path):
    recipe = Recipe("here", "idle", blocks=[("sh", "true\n")])
    with pytest.raises(AssertionError):
        test_recipe(recipe, tmp_path)


def test_marks_are_read():
    text = "<!-- run: a pushes=2 -->\n```sh\none\n```\n\n<!-- prints: a -->\n```\nout\n```\n<!-- file: a x.json -->\n```json\n{}\n```\n"
    [recipe] = read("here", text)
    assert (recipe.blocks, recipe.options, recipe.prints, recipe.files) == ([("sh", "one\n")], {"pushes": "2"}, ["out\n"], {"x.json": "{}\n"})
    for wrong in ("<!-- run: a -->\n\n```sh\none\n```\n", "<!-- run: a -->\n```cobol\none\n```\n", "<!-- prints: a -->\n```\nout\n```\n",
                  "<!-- run: a push=2 -->\n```sh\none\n```\n"):
        with pytest.raises(AssertionError):
            read("here", wrong)


def test_plain_keeps_what_matters():
    assert plain("200  a1b2c3d4-0000-0000-0000-0123456789ab\n") == plain("200 00000000-0000-0000-0000-0123456789AB\r\n")
    assert plain("200 OK") != plain("410 OK")
