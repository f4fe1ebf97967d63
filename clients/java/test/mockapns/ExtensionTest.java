package mockapns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What the extension does with tests that end well or badly: JUnit runs here in JUnit. */
class ExtensionTest {
    @ExtendWith(MockAPNsExtension.class)
    static class Subject {
        String name;

        @BeforeEach
        void prepare(APNs apns) {
            name = apns.name();
        }

        @Test
        void hasOneNamespace(APNs apns) {
            assertEquals(name, apns.name());
            assertTrue(name.startsWith("hasOneNamespace-"), name);
        }

        @Test
        void failsAfterARefusal(APNs apns) throws Exception {
            new Sender(apns).push(ScenariosTest.DEVICE, "Shipped", "apns-priority", "7");
            throw new IllegalStateException("the test's own");
        }
    }

    static class Judged {
        @RegisterExtension
        final MockAPNsExtension mock = new MockAPNsExtension().verdict().namespace(Map.of("profile", "live"));

        @Test
        void isRefused(APNs apns) throws Exception {
            new Sender(apns).push(ScenariosTest.DEVICE, "Shipped", "apns-priority", "7");
        }

        @Test
        void isAccepted(APNs apns) throws Exception {
            new Sender(apns).push(ScenariosTest.DEVICE, "Shipped");
        }
    }

    private static Map<String, TestExecutionResult> run(Class<?> type) {
        var results = new HashMap<String, TestExecutionResult>();
        var request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(type)).build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) results.put(test.getDisplayName().replaceAll("\\(.*", ""), result);
            }
        });
        return results;
    }

    @Test
    void aTestThatFailsShowsWhatWasRefused() {
        var results = run(Subject.class);
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, results.get("hasOneNamespace").getStatus());
        var failure = results.get("failsAfterARefusal").getThrowable().orElseThrow();
        assertEquals("the test's own", failure.getMessage());
        ScenariosTest.contains(failure.getSuppressed()[0].getMessage(), "not clean: rejected: 1 refused", "BadPriority");
    }

    @Test
    void aServerElsewhere(@TempDir Path folder) throws Exception {
        // As in a container: its folder has no path that is good here, and pushes find the namespace by its key.
        var process = new ProcessBuilder(Program.find(System.getenv("MOCK_APNS_PROGRAM"), folder, System.getenv("PATH")).toString(),
            "serve", "--ephemeral", "--certs", "elsewhere", "--log", "off", "-q").directory(folder.toFile()).start();
        var facts = new Entry(Json.object(new BufferedReader(new InputStreamReader(process.getInputStream())).readLine()));
        try (var server = MockAPNs.builder().admin(facts.get("admin") + "/").start(); var apns = server.namespace("elsewhere")) {
            assertEquals(facts.get("apns.url"), apns.url());
            new Sender(apns).push(ScenariosTest.DEVICE, "Shipped");
            apns.expect(Map.of(), Expectation.exactly(1));
        } finally {
            process.getOutputStream().close();
            process.waitFor();
        }
    }

    @Test
    void aVerdictFailsTheTest() {
        var results = run(Judged.class);
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, results.get("isAccepted").getStatus());
        ScenariosTest.contains(results.get("isRefused").getThrowable().orElseThrow().getMessage(), "not clean: rejected: 1 refused");
    }
}
