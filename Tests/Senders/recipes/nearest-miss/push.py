import os, pathlib, ssl, sys, time
import httpx, jwt
key = pathlib.Path(os.environ["MOCK_APNS_KEY_FILE"]).read_text()
token = jwt.encode({"iss": "MOCKTEAM01", "iat": int(time.time())}, key, algorithm="ES256", headers={"kid": "MOCK000001"})
with httpx.Client(http2=True, verify=ssl.create_default_context(cafile="certs/ca.pem")) as client:
    client.post(f"https://127.0.0.1:2197/3/device/{sys.argv[1]}", headers={"authorization": f"bearer {token}"}, json={"aps": {"alert": "Hello"}})
