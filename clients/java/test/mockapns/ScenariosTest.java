package mockapns;

import static mockapns.Expectation.exactly;
import static mockapns.Expectation.within;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The ten scenarios that every client has. */
class ScenariosTest {
    static final String DEVICE = "ab".repeat(32);

    @RegisterExtension
    static final MockAPNsExtension MOCK = new MockAPNsExtension();

    static void contains(String text, String... parts) {
        for (var part : parts) assertTrue(text.contains(part), () -> "\"" + part + "\" is not in:\n" + text);
    }

    @Test
    void deliver(APNs apns) throws Exception {
        new Sender(apns).push(DEVICE, "Shipped");
        var push = apns.expect(Map.of("device", DEVICE, "aps.alert.title", "Ship*")).get(0);
        assertEquals("Shipped", push.get("payload.aps.alert.title"));
    }

    @Test
    void none(APNs apns) throws Exception {
        apns.expectNone(Map.of("device", DEVICE));
        new Sender(apns).push(DEVICE, "Shipped");
        var error = assertThrows(ExpectationError.class, () -> apns.expectNone(Map.of("device", DEVICE)));
        contains(error.getMessage(), "expectation not met: no ", "got 1");
    }

    @Test
    void exactlySoMany(APNs apns) throws Exception {
        for (var title : new String[] {"one", "two"}) new Sender(apns).push(DEVICE, title);
        assertEquals(2, apns.expect(Map.of("device", DEVICE), exactly(2)).size());
        var error = assertThrows(ExpectationError.class, () -> apns.expect(Map.of(), exactly(1)));
        contains(error.getMessage(), "exactly 1 ", "got 2");
    }

    @Test
    void refusedWithTheReasonShown(APNs apns) throws Exception {
        assertEquals("BadPriority", new Sender(apns).push(DEVICE, "Shipped", "apns-priority", "7").reason());
        apns.expect(Map.of("outcome", "rejected", "reason", "BadPriority"));
        var error = assertThrows(ExpectationError.class, () -> apns.expect(Map.of("device", DEVICE), within(Duration.ZERO)));
        contains(error.getMessage(), "REJECTED 400 BadPriority");
        contains(assertThrows(ExpectationError.class, apns::verdict).getMessage(), "not clean: rejected: 1 refused");
    }

    @Test
    void goneAndTheCleanUp(APNs apns) throws Exception {
        var phone = apns.device("com.example.app");
        var service = new Sender(apns, phone.token());
        phone.unregister(Duration.ofHours(1));
        var answer = service.push(phone.token(), "Shipped");
        assertEquals(410, answer.status());
        var gone = Duration.between(Instant.ofEpochMilli(answer.timestamp()), Instant.now());
        assertEquals(60, gone.toMinutes());
        assertEquals(Set.of(), service.devices());
    }

    @Test
    void retryAfter429(APNs apns) throws Exception {
        apns.failNext("TooManyRequests", 2);
        assertEquals(200, new Sender(apns).push(DEVICE, "Shipped").status());
        apns.expect(Map.of("outcome", "rejected", "status", 429), exactly(2));
        apns.expect(Map.of("device", DEVICE), exactly(1));
        apns.verdict();
    }

    @Test
    void goAway(APNs apns) throws Exception {
        var service = new Sender(apns);
        service.push(DEVICE, "before");
        apns.failNext(Map.of("fault", "goaway", "lastStream", "none"));
        assertEquals(200, service.push(DEVICE, "after").status());
        var pushes = apns.expect(Map.of("device", DEVICE), exactly(2));
        assertNotEquals(pushes.get(0).get("connection.id"), pushes.get(1).get("connection.id"));
    }

    @Test
    void aProviderTokenThatExpiresByTheClock(APNs apns) throws Exception {
        var service = new Sender(apns);
        assertEquals(200, service.push(DEVICE, "fresh").status());
        apns.clock().advance(Duration.ofMinutes(61));
        assertEquals("ExpiredProviderToken", service.push(DEVICE, "stale").reason());
        service.renew(apns.providerToken(apns.clock().now()));
        assertEquals(200, service.push(DEVICE, "renewed").status());
        apns.expect(Map.of("device", DEVICE), exactly(2));
    }

    @RepeatedTest(50)
    @Execution(ExecutionMode.CONCURRENT)
    void fiftyInParallelOnOneServer(RepetitionInfo repetition, APNs apns) throws Exception {
        var title = "push " + repetition.getCurrentRepetition();
        new Sender(apns).push(DEVICE, title);
        var push = apns.expect(Map.of("device", DEVICE), exactly(1)).get(0);
        assertEquals(title, push.get("payload.aps.alert.title"));
        apns.verdict();
    }

    @Test
    void theNearestMissIsTold(APNs apns) throws Exception {
        new Sender(apns).push(DEVICE, "Your order has shipped");
        var wanted = Map.of("device", DEVICE, "aps.alert.title", "Shipped*");
        var error = assertThrows(ExpectationError.class, () -> apns.expect(wanted, within(Duration.ofMillis(100))));
        contains(error.getMessage(), "closest #1  ACCEPTED",
            "aps.alert.title  NO   wanted Shipped*   got Your order has shipped");
    }
}
