"""TLS libraries that trust the server by nothing but the CA file, and programs that read the client certificate."""
import json
import pathlib
import shutil
import subprocess
import time

import curl_cffi
import grpc
import jwt
import pyreqwest.client
import pytest

HERE = pathlib.Path(__file__).parent
TOPIC = "com.example.app"
PAYLOAD = {"aps": {"alert": "hi"}}


def headers(apns):
    token = jwt.encode({"iss": apns.team_id, "iat": int(time.time())}, apns.key, "ES256", {"kid": apns.key_id})
    return {"authorization": f"bearer {token}", "apns-topic": TOPIC, "apns-push-type": "alert"}


def curl_cffi_push(apns, device):
    """BoringSSL: curl_cffi's libcurl is built with Chrome's TLS."""
    response = curl_cffi.post(f"{apns.url}/3/device/{device}", headers=headers(apns), json=PAYLOAD, verify=apns.ca)
    return response.status_code, response.text


def pyreqwest_push(apns, device):
    """rustls: pyreqwest is reqwest with rustls and webpki."""
    pem = pathlib.Path(apns.ca).read_bytes()
    with pyreqwest.client.SyncClientBuilder().add_root_certificate_pem(pem).http2(True).build() as client:
        response = client.post(f"{apns.url}/3/device/{device}").headers(headers(apns)).body_json(PAYLOAD).build().send()
        return response.status, response.text()


@pytest.mark.parametrize("push", [curl_cffi_push, pyreqwest_push])
def test_the_ca_file_is_enough(apns, device, push):
    assert push(apns, device) == (200, "")
    [item] = apns.delivered(device)
    assert item["payload"] == PAYLOAD


def test_the_ca_file_is_enough_for_grpc(apns, device):
    """BoringSSL again, as gRPC has it. It cannot speak APNs, but its call is an HTTP/2 request that arrives."""
    credentials = grpc.ssl_channel_credentials(pathlib.Path(apns.ca).read_bytes())
    with grpc.secure_channel(f"{apns.host}:{apns.port}", credentials) as channel:
        call = channel.unary_unary(f"/3/device/{device}")
        with pytest.raises(grpc.RpcError):
            call(json.dumps(PAYLOAD).encode(), timeout=30, metadata=list(headers(apns).items()))
    [item] = apns.refused(device)
    assert item["rejection"]["reason"] == "BadRequestPayload"


def test_a_refused_ca_is_explained(start_server, device):
    """Name constraints with addresses, as the CAs of earlier versions had: the log says more than "give it the CA"."""
    apns = start_server("--ca-constraints", "all")
    with pytest.raises(curl_cffi.CurlError):
        curl_cffi_push(apns, device)
    done = apns.run("list", "--outcome", "broken", "-o", "json")
    [item] = json.loads(done.stdout)["items"]
    explanation = item["broken"]["explanation"]
    for words in ["BoringSSL", "name constraints", "--ca-constraints", "delete"]:
        assert words in explanation
    assert pyreqwest_push(start_server("--ca-constraints", "dns"), device)[0] == 200


@pytest.mark.skipif(not shutil.which("ruby"), reason="ruby is not installed")
def test_ruby_reads_the_client_key_as_rsa(apns):
    script = """
        folder = ARGV[0]
        certificate = OpenSSL::X509::Certificate.new(File.read(folder + "/client.pem"))
        key = OpenSSL::PKey::RSA.new(File.read(folder + "/client.key"))
        file = OpenSSL::PKCS12.new(File.binread(folder + "/client.p12"), "mock-apns")
        puts key.n.num_bits, certificate.check_private_key(key), file.key.is_a?(OpenSSL::PKey::RSA),
          file.certificate == certificate, file.ca_certs.inspect
    """
    folder = str(pathlib.Path(apns.ca).parent)
    done = subprocess.run(["ruby", "-ropenssl", "-e", script, folder], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["2048", "true", "true", "true", "nil"], done.stderr


@pytest.mark.skipif(not shutil.which("go"), reason="golang-go is not installed")
def test_go_pushes_with_the_p12_file(apns, device, tmp_path):
    """golang.org/x/crypto/pkcs12, which takes exactly one key and one certificate and knows old ciphers only."""
    environment = {
        "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path), "GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off",
        "GOPATH": "/usr/share/gocode"}
    folder = pathlib.Path(apns.ca).parent
    done = subprocess.run(
        ["go", "run", str(HERE / "p12_push.go"), str(folder / "client.p12"), "mock-apns", apns.ca,
         f"{apns.url}/3/device/{device}", TOPIC],
        capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout == "200 HTTP/2.0\n", done.stderr
    [item] = apns.delivered(device)
    assert item["auth"]["method"] == "certificate"
