<?php // mock-apns exec -- php order_test.php      needs the curl extension (with HTTP/2) and openssl
function part(string $bytes): string { return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '='); }

function call(string $method, string $url, array $fields, ?string $body, array $options = []): array {
    $curl = curl_init($url);
    curl_setopt_array($curl, $options + [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $fields, CURLOPT_RETURNTRANSFER => true]
        + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $text = curl_exec($curl);
    if ($text === false) throw new RuntimeException(curl_error($curl));
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $text];
}

// Your sender; libraries such as edamov/pushok are pointed here by MOCK_APNS_URL and MOCK_APNS_CA_FILE.
function push(string $device, array $payload): int {
    static $token; // One for all pushes: APNs lets a connection change it only every 20 minutes.
    $text = part(json_encode(['alg' => 'ES256', 'kid' => getenv('MOCK_APNS_KEY_ID')]))
        . '.' . part(json_encode(['iss' => getenv('MOCK_APNS_TEAM_ID'), 'iat' => time()]));
    openssl_sign($text, $der, file_get_contents(getenv('MOCK_APNS_KEY_FILE')), 'sha256');
    $token ??= "$text." . part($der); // As DER, which APNs takes as well.
    $fields = ["authorization: bearer $token", 'apns-topic: com.example.app', 'apns-push-type: alert'];
    return call('POST', getenv('MOCK_APNS_URL') . "/3/device/$device", $fields, json_encode($payload),
        [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_CAINFO => getenv('MOCK_APNS_CA_FILE')])[0];
}

function check(bool $good, string $text): void { if (!$good) { fwrite(STDERR, "$text\n"); exit(1); } }

function expect(array $query): void { // The failure text is the server's.
    [$status, $text] = call('GET', getenv('MOCK_APNS_ADMIN') . '/v1/notifications?' . http_build_query($query), ['accept: text/plain'], null);
    check($status === 200, $text);
}

check(push(str_repeat('ab', 32), ['aps' => ['alert' => ['title' => 'Shipped']]]) === 200, 'the push was refused');
expect(['device' => str_repeat('ab', 32), 'aps.alert.title' => 'Ship*', 'exactly' => 1, 'wait' => '5s']);

call('POST', getenv('MOCK_APNS_ADMIN') . '/v1/fail-next', ['content-type: application/json'], '{"reason": "Unregistered"}');
check(push(str_repeat('cd', 32), ['aps' => ['alert' => 'Shipped']]) === 410, 'the push was not answered 410');
expect(['device' => str_repeat('cd', 32), 'exactly' => 0, 'wait' => '100ms']);
echo "2 passed, 0 failed\n";
