PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest -p xdist -q -n 2 -p no:cacheprovider --confcutdir=. --rootdir=.
test "$(cut -d' ' -f1 servers | sort -u | wc -l)" = 1
PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest -q -p no:cacheprovider --confcutdir=. --rootdir=. test_orders.py
