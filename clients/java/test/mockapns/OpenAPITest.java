package mockapns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every route, parameter and member of a body that this client uses is in the program's OpenAPI document. */
class OpenAPITest {
    private record Call(String method, URI target, Set<String> members) {}

    private Map<?, ?> paths;

    @AfterEach
    void stopObserving() {
        Admin.observer = null;
    }

    @Test
    void allCallsAreInTheDocument() {
        var calls = new ConcurrentLinkedQueue<Call>();
        Admin.observer = (method, target, body) ->
            calls.add(new Call(method, target, body == null ? Set.of() : body.keySet().stream().map(String::valueOf).collect(Collectors.toSet())));
        try (var server = MockAPNs.start()) {
            paths = (Map<?, ?>) server.admin.json("GET", "/openapi.json", null).get("paths");
            var apns = server.namespace("openapi", Map.of("profile", "strict"));
            apns.expectNone(Map.of(), Expectation.within(Duration.ZERO), Expectation.after(apns.cursor()));
            assertThrows(ExpectationError.class, () -> apns.expect(Map.of(), Expectation.count(1), Expectation.within(Duration.ZERO)));
            assertThrows(ExpectationError.class, () -> apns.expect(Map.of(), Expectation.exactly(1),
                Expectation.within(Duration.ofMillis(1)), Expectation.settle(Duration.ofMillis(1))));
            apns.verify(Map.of("expect", List.of(), "noOthers", true, "wait", 0));
            assertEquals(List.of(), apns.requests(Map.of()));
            var phone = apns.device();
            phone.set(Map.of("state", "offline"));
            phone.unregister(Duration.ZERO);
            phone.inbox();
            apns.clock().freeze(Instant.parse("2030-01-01T00:00:00Z"));
            assertEquals(Instant.parse("2030-01-01T00:00:00Z"), apns.clock().now());
            apns.clock().advance(Duration.ofMinutes(1));
            apns.clock().resume();
            apns.sslContext(Map.of("topic", "com.example.app"));
            apns.failNext("TooManyRequests");
            apns.failNext("TooManyRequests", 2);
            apns.failNext(Map.of("fault", "goaway"));
            apns.rule(Map.of("then", Map.of("reason", "Shutdown")));
            apns.reset("devices");
            // A reset does not make up for rules that never fired.
            ScenariosTest.contains(assertThrows(ExpectationError.class, apns::verdict).getMessage(), "not clean: unused-rules: ");
            try (var joined = MockAPNs.builder().admin(server.adminURL()).start(); var other = joined.namespace("joined")) {
                assertNotEquals(URI.create(joined.urls.get("apns")).getPort(), other.port());
                assertNotEquals(null, other.http1URL());
                assertNotEquals(null, other.h2cURL());
            }
        }
        assertTrue(calls.size() > 20);
        for (var call : calls) {
            var operation = operation(call.method, call.target.getPath());
            var parameters = ((List<?>) operation.get("parameters")).stream().map(each -> ((Map<?, ?>) each).get("name")).toList();
            for (var pair : call.target.getQuery() == null ? new String[0] : call.target.getQuery().split("&")) {
                var name = pair.split("=")[0];
                assertTrue(parameters.contains(name), () -> call + " has the parameter " + name);
            }
            var known = members(operation);
            for (var name : call.members) assertTrue(known.contains(name), () -> call + " has the member " + name);
        }
    }

    private static Set<?> members(Map<?, ?> operation) {
        return new Entry(Map.of("operation", operation)).get("operation.requestBody.content") instanceof Map<?, ?> content
            ? ((Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) content.get("application/json")).get("schema")).get("properties")).keySet() : Set.of();
    }

    /** The operation of a path, in which each segment of the document may be a place holder. */
    private Map<?, ?> operation(String method, String path) {
        var plain = path.replaceFirst("^/v1/ns/[^/]+/", "/v1/");
        var segments = plain.split("/");
        var fitting = paths.keySet().stream().map(String::valueOf).filter(each -> {
            var theirs = each.split("/");
            return theirs.length == segments.length && Arrays.equals(theirs, segments, (one, other) ->
                one.equals(other) || one.startsWith("{") ? 0 : 1);
        }).toList();
        var exact = fitting.contains(plain) ? plain : fitting.isEmpty() ? null : fitting.get(0);
        var operation = exact == null ? null : ((Map<?, ?>) paths.get(exact)).get(method.toLowerCase(Locale.ROOT));
        assertNotEquals(null, operation, method + " " + plain + " is in the OpenAPI document");
        return (Map<?, ?>) operation;
    }
}
