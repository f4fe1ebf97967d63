package mockapns;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a service that sends pushes looks like: a provider token that is kept, retries, a clean-up. */
final class Sender {
    private final String url;
    private final HttpClient client;
    private final Set<String> devices;
    private String token;

    record Answer(int status, String reason, long timestamp) {}

    Sender(APNs apns, String... devices) {
        url = apns.url();
        client = apns.client();
        token = apns.providerToken(Instant.now());
        this.devices = new HashSet<>(List.of(devices));
    }

    Set<String> devices() {
        return devices;
    }

    void renew(String token) {
        this.token = token;
    }

    /** Sends to a device until it is accepted or refused for good. */
    Answer push(String device, String title, String... fields) throws IOException, InterruptedException {
        for (var tries = 3;; tries--) {
            try {
                var answer = request(device, title, fields);
                if (answer.status == 429 && tries > 1) continue;
                if (answer.status == 410) devices.remove(device);
                return answer;
            } catch (IOException error) {
                if (tries == 1) throw error;
            }
        }
    }

    private Answer request(String device, String title, String... fields) throws IOException, InterruptedException {
        var payload = Json.write(Map.of("aps", Map.of("alert", Map.of("title", title))));
        var request = HttpRequest.newBuilder(URI.create(url + "/3/device/" + device))
            .headers("authorization", "bearer " + token, "apns-topic", "com.example.app", "apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString(payload));
        if (fields.length > 0) request.headers(fields);
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        var body = response.body().isEmpty() ? Map.<String, Object>of() : Json.object(response.body());
        return new Answer(response.statusCode(), (String) body.get("reason"), body.get("timestamp") instanceof Long time ? time : 0);
    }
}
