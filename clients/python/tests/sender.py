"""A sender as an application has one: httpx and PyJWT, a token that is kept, retries, and a list of devices."""

import time
from dataclasses import dataclass, field
from typing import Optional, Set

import httpx
import jwt

DEVICE = "ab" * 32


@dataclass
class Result:
    status: int
    reason: Optional[str] = None
    timestamp: Optional[int] = None


@dataclass
class Sender:
    """Pushes to a namespace; everything it needs are a URL, what to trust and a key."""

    apns: object
    topic: str = "com.example.app"
    devices: Set[str] = field(default_factory=set)

    def __post_init__(self):
        self.client = httpx.Client(http2=True, verify=self.apns.ssl_context(), timeout=20)
        self.sign()

    def sign(self, at=None):
        with open(self.apns.key_file) as file:
            claims = {"iss": self.apns.team_id, "iat": int(at.timestamp() if at else time.time())}
            self.token = jwt.encode(claims, file.read(), algorithm="ES256", headers={"kid": self.apns.key_id})

    def push(self, device=DEVICE, title="Shipped", tries=3, **fields):
        """Sends one push: again after 429, over a new connection after GOAWAY; a device that is gone is forgotten."""
        headers = {"authorization": f"bearer {self.token}", "apns-topic": self.topic, "apns-push-type": "alert"}
        headers.update({name.replace("_", "-"): value for name, value in fields.items()})
        for _ in range(tries):
            try:
                answer = self.client.post(
                    f"{self.apns.url}/3/device/{device}", headers=headers, json={"aps": {"alert": {"title": title}}})
            except httpx.RemoteProtocolError:
                self.close()
                self.client = httpx.Client(http2=True, verify=self.apns.ssl_context(), timeout=20)
                continue
            if answer.status_code != 429:
                break
        if answer.status_code == 410:
            self.devices.discard(device)
        problem = answer.json() if answer.content else {}
        return Result(answer.status_code, problem.get("reason"), problem.get("timestamp"))

    def close(self):
        self.client.close()
