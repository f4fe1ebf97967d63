#!/usr/bin/env bash
# A newcomer's way: an empty environment, the wheel, the lines of the README; then the suite with what was installed.
# usage: clients/python/test.sh PROGRAM (a program that this machine runs)      PYTHON names another interpreter
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=$here/../../.build/python-client
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset MOCK_APNS_PROGRAM MOCK_APNS_ADMIN

# The Nth block of code of the README.
block() { awk -v n="$1" '/^```/ { if (open) { open = 0 } else { open = 1; count++ } next } open && count == n' "$here/README.md"; }

# What the tests need is installed once; the package comes anew each time.
wanted="$("$python" --version) $(cat "$here/tests/requirements.txt")"
if [ "$(cat "$environment/wanted" 2>/dev/null)" != "$wanted" ]; then
    echo "installing what the tests need into .build/python-client"
    "$python" -m venv --clear "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/tests/requirements.txt"
    echo "$wanted" >"$environment/wanted"
fi
export PATH=$environment/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1
pip uninstall --quiet --yes mock-apns 2>/dev/null || true

cp -R "$here/tests" "$folder/tests"
cd "$folder"
"$here/wheel.py" "$1" dist
block 1 >commands.sh
cat commands.sh
bash -euo pipefail commands.sh | tee output.txt
[ "$(tail -n 1 output.txt)" = "$("$1" version)" ]

mkdir newcomer
cp tests/sender.py tests/conftest.py newcomer/
{
    printf 'from sender import Sender\n\ndef place_order(number, apns):\n    Sender(apns).push(title=f"Shipped {number}")\n\n'
    block 2
} >newcomer/test_readme.py
python -m pytest -q -p no:cacheprovider newcomer

mypy --config-file "$here/pyproject.toml" --no-error-summary "$here/src"
export MOCK_APNS_SOURCE=$here
python -m pytest -q -p no:cacheprovider -n 4 tests
