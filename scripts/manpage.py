#!/usr/bin/env python3
"""Writes the manual page of a program from its own --help, so that no list of flags is kept twice.

usage: manpage.py PROGRAM [DATE]      DATE: SOURCE_DATE_EPOCH, in seconds
"""
import re
import subprocess
import sys
import time


def told(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, timeout=20).stdout.rstrip()


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def entry(term, text):
    return f".TP\n{bold(term)}\n{escaped(text)}\n" if text else f".TP\n{bold(term)}\n"


def body(lines, heading):
    """Paragraphs, headings (`Listening:`) and lists (two blanks, a term, two blanks, its meaning) as roff."""
    out, term, meaning, plain = "", None, [], []

    def flush():
        nonlocal out, term, meaning, plain
        if term is not None:
            out += entry(term, " ".join(meaning))
        if plain:
            out += ".PP\n" + "\n.br\n".join(escaped(each) for each in plain) + "\n"
        term, meaning, plain = None, [], []

    for line in lines:
        item = re.match(r"  (\S.*?)(?: {2,}(\S.*)|$)", line) if line.startswith("  ") and not line.startswith("   ") else None
        # A long term pushes its meaning one blank away from it.
        narrow = re.match(r"  (\S+) (\S.*)", line) if item and not item[2] and not item[1].startswith("-") else None
        if not line.strip():
            flush()
        elif re.fullmatch(r"[A-Z][^:]*:", line):
            flush()
            out += f"{heading} {escaped(line[:-1])}\n"
        elif item:
            flush()
            term, meaning = (narrow[1], [narrow[2]]) if narrow else (item[1], [item[2]] if item[2] else [])
        elif line.startswith("   ") and term is not None:
            meaning.append(line.strip())
        else:
            plain.append(line.strip())
    flush()
    return out


def page(program, date):
    top = told(program, "--help").split("\n")
    first = re.match(r"(\S+) (\S+): (.*)", top[0])
    name, version, purpose = first.groups()
    begin, end = top.index("Commands:"), top.index("Exit codes:")
    commands = [match[1] for line in top[begin:end] if (match := re.match(r"  (\S+) ", line))]
    usage = next(line for line in top if line.startswith("usage: "))[len("usage: "):].split("     ")[0]
    day = time.strftime("%Y-%m-%d", time.gmtime(date))
    out = f'.TH {name.upper()} 1 "{day}" "{name} {version}" "User Commands"\n'
    out += f".SH NAME\n{escaped(name)} \\- {escaped(purpose[0].lower() + purpose[1:].rstrip('.'))}\n"
    out += f".SH SYNOPSIS\n{bold(name)} {escaped(usage.removeprefix(name + ' '))}\n"
    out += ".SH DESCRIPTION\nWithout a command it is\n" + f"{bold(name + ' serve')}.\n"
    out += "Each flag has an environment variable: MOCK_APNS_ and the flag in capitals, with _ between words. The flag beats the variable.\n"
    out += ".SH COMMANDS\n" + body(top[begin + 1:end], ".SS")
    for command in commands:
        if command in ("help", "version"):
            continue
        lines = told(program, command, "--help").split("\n")
        out += f".SH {escaped(command.upper())}\n{bold(lines[0].removeprefix('usage: '))}\n" + body(lines[1:], ".SS")
    return out + ".SH EXIT STATUS\n" + body([line for line in top[end + 1:] if not line.startswith("The flags of")], ".SS")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    print(page(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0), end="")
