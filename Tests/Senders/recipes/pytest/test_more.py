import os
import httpx, pytest
from test_orders import test_the_customer_is_told

@pytest.mark.parametrize("number", range(6))
def test_all_have_one_server(apns, number):
    with open("servers", "a") as file:
        file.write(f"{apns['admin']} {os.environ.get('PYTEST_XDIST_WORKER')}\n")
    assert httpx.get(apns["admin"] + "/livez").status_code == 200
