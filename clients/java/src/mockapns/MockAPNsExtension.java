package mockapns;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit 5 that has a parameter of type {@link APNs} a namespace of its own.
 *
 * <p>The server is started by the first test of the run that needs it, and ends with the run. Tests may run in parallel. A
 * test that has failed shows, as a suppressed exception, which pushes were refused in its namespace and why.
 *
 * <pre>{@code
 * @ExtendWith(MockAPNsExtension.class)
 * class OrderTest {
 *     @Test
 *     void theCustomerIsTold(APNs apns) {
 *         placeOrder(42, apns);
 *         apns.expect(Map.of("aps.alert.title", "Shipped*"), exactly(1));
 *     }
 * }
 * }</pre>
 *
 * <p>With settings: {@code @RegisterExtension static final MockAPNsExtension mock = new MockAPNsExtension().verdict();}
 */
public final class MockAPNsExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(MockAPNsExtension.class);

    private final MockAPNs.Builder builder = MockAPNs.builder();
    private final Map<String, Object> members = new HashMap<>();
    private boolean judges;

    /** Ends with the run of all tests. */
    private record Running(MockAPNs server) implements ExtensionContext.Store.CloseableResource {
        @Override
        public void close() {
            server.close();
        }
    }

    /** Joins the server with this admin URL; MOCK_APNS_ADMIN, unless told. */
    public MockAPNsExtension admin(String url) {
        builder.admin(url);
        return this;
    }

    /** Where senders reach the server that is joined, when that is elsewhere than it says. */
    public MockAPNsExtension url(String url) {
        builder.url(url);
        return this;
    }

    /** Names the program; else MOCK_APNS_PROGRAM, the platform's jar and PATH are asked, in this order. */
    public MockAPNsExtension program(String path) {
        builder.program(path);
        return this;
    }

    /** Passes further flags of {@code mock-apns serve}. */
    public MockAPNsExtension arguments(String... flags) {
        builder.arguments(flags);
        return this;
    }

    /** How long the server may take to start. */
    public MockAPNsExtension timeout(Duration time) {
        builder.timeout(time);
        return this;
    }

    /** What each namespace is to be like: members of the body of POST /v1/namespaces. */
    public MockAPNsExtension namespace(Map<String, ?> members) {
        this.members.putAll(members);
        return this;
    }

    /** Lets a test fail in which a push was refused unasked, a rule never fired, or a finding is an error. */
    public MockAPNsExtension verdict() {
        judges = true;
        return this;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == APNs.class && context.getTestMethod().isPresent();
    }

    @Override
    public APNs resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE).getOrComputeIfAbsent(APNs.class, each -> {
            var running = context.getRoot().getStore(STORE)
                .getOrComputeIfAbsent(builder.identity(), key -> new Running(builder.start()), Running.class);
            return running.server.namespace(context.getRequiredTestMethod().getName(), members);
        }, APNs.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var apns = context.getStore(STORE).remove(APNs.class, APNs.class);
        if (apns == null || apns.hasEnded()) return;
        var failure = context.getExecutionException();
        if (failure.isPresent()) {
            var verdict = apns.end("?verdict=clean");
            if (verdict.status() == 417) failure.get().addSuppressed(new ExpectationError(verdict.text().strip()));
        } else if (judges) {
            apns.verdict();
        } else {
            apns.close();
        }
    }
}
