"""One push by kalyke, in a process of its own: an order on standard input, the answer on standard output."""
import asyncio
import json
import sys
import time

import jwt
from kalyke import ApnsClient, ApnsConfig, ApnsPushType
from kalyke.exceptions import ApnsProviderException


class AgedClient(ApnsClient):
    """Signs with a token as old as the order asks for."""

    age = 0

    def _make_authorization(self):
        key = self._get_auth_key_filepath().read_text()
        claims = {"iss": self.team_id, "iat": str(int(time.time()) - AgedClient.age)}
        return jwt.encode(claims, key, algorithm="ES256", headers={"alg": "ES256", "kid": self.auth_key_id})


def main():
    order = json.load(sys.stdin)
    AgedClient.age = order["age"]
    client = (AgedClient if order["age"] else ApnsClient)(
        use_sandbox=True, team_id=order["team"], auth_key_id=order["key_id"], auth_key_filepath=order["key_file"])
    config = ApnsConfig(topic=order["topic"], push_type=ApnsPushType(order["type"]))
    try:
        asyncio.run(client.send_message(device_token=order["device"], payload=order["payload"], apns_config=config))
        answer = {"status": 200, "reason": ""}
    except ApnsProviderException as refusal:
        # kalyke has an exception class for each reason and keeps no status.
        answer = {"status": 0, "reason": type(refusal).__name__}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
