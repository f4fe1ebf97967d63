package mockapns;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Calls of a server's admin API. */
final class Admin {
    /** No answer takes longer: the server lets nobody wait for more than a minute. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(75);

    /** Sees every call; the tests compare them with the OpenAPI document. */
    static volatile Observer observer;

    interface Observer {
        void called(String method, URI target, Map<String, ?> body);
    }

    record Answer(int status, String text) {}

    final String base;
    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

    Admin(String base) {
        this.base = base;
    }

    /** The answer, whatever its status is. */
    Answer call(String method, String path, String accept, Map<String, ?> body) {
        var target = URI.create(base + path);
        if (observer != null) observer.called(method, target, body);
        var request = HttpRequest.newBuilder(target).timeout(LONGEST_ANSWER).header("accept", accept);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(Json.write(body)));
        }
        var token = System.getenv("MOCK_APNS_ADMIN_TOKEN");
        if (token != null) request.header("authorization", "Bearer " + token);
        try {
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException error) {
            throw new MockAPNsException(
                "the mock-apns server at " + base + " does not answer (" + error + "); see whether it still runs", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new MockAPNsException("the test was interrupted while it asked the mock-apns server", error);
        }
    }

    /** A call that must succeed; gives the JSON of its answer. */
    Map<String, Object> json(String method, String path, Map<String, ?> body) {
        var answer = call(method, path, "application/json", body);
        if (answer.status < 300) return Json.object(answer.text);
        throw new MockAPNsException(inWords(answer));
    }

    /** A refusal in the words of the server's text form. */
    private static String inWords(Answer answer) {
        try {
            var problem = Json.object(answer.text);
            var hint = problem.get("hint");
            return answer.status + " " + problem.get("title") + "\n" + problem.get("detail") + (hint == null ? "" : "\nhint: " + hint);
        } catch (RuntimeException error) {
            return answer.text.strip();
        }
    }
}
