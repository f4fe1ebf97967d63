<?php
$curl = curl_init('https://127.0.0.1:2197/');
curl_setopt_array($curl, [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_RETURNTRANSFER => true]);
exit(curl_exec($curl) === false ? 1 : 0);
