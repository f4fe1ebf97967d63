#!/usr/bin/env bash
# Runs the real senders against the built program, in a virtual environment of their own.
# usage: Tests/Senders/run.sh [pytest arguments]      MOCK_APNS_PROGRAM names another program
# MOCK_APNS_PAGE=1 installs what drives the browser of test_page.py.
# Without arguments the suite of parallel tests follows, MOCK_APNS_PARALLEL_RUNS times.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
environment=$root/.build/senders

if ! cmp -s "$here/requirements.txt" "$environment/requirements.txt"; then
    echo "installing the senders into .build/senders"
    python3 -m venv --clear "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --target "$environment/apns2-up" \
        "$(sed -n 's/^# \(apns2-up==.*\)/\1/p' "$here/requirements.txt")"
    cp "$here/requirements.txt" "$environment/requirements.txt"
fi
if [ -n "${MOCK_APNS_PAGE:-}" ] && ! cmp -s "$here/requirements-page.txt" "$environment/requirements-page.txt"; then
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-page.txt"
    cp "$here/requirements-page.txt" "$environment/requirements-page.txt"
fi
export MOCK_APNS_PROGRAM=${MOCK_APNS_PROGRAM:-$root/.build/debug/mock-apns}
python=$environment/bin/python
if [ $# -gt 0 ]; then exec "$python" -m pytest -p no:cacheprovider -q "$here" --ignore "$here/parallel" "$@"; fi
"$python" -m pytest -p no:cacheprovider -q -rs "$here" --ignore "$here/parallel"
for _ in $(seq "${MOCK_APNS_PARALLEL_RUNS:-2}"); do
    "$python" -m pytest -p no:cacheprovider -q -n 4 "$here/parallel"
done
