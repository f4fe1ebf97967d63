import ssl, time
import httpx, jwt

def place_order(number, apns, suite):
    token = jwt.encode({"iss": suite["key"]["teamId"], "iat": int(time.time())}, suite["key"]["p8"], algorithm="ES256", headers={"kid": suite["key"]["keyId"]})
    with httpx.Client(http2=True, verify=ssl.create_default_context(cafile=apns["caFile"])) as client:
        fields = {"authorization": f"bearer {token}", "apns-topic": "com.example.app", "apns-push-type": "alert"}
        client.post(f"{apns['apns']['url']}/3/device/{'ab' * 32}", headers=fields, json={"aps": {"alert": {"title": f"Shipped {number}"}}})
