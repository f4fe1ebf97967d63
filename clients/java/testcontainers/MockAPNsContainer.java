import mockapns.MockAPNs;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The container image for those who use Testcontainers: copy this file into your tests.
 *
 * <pre>{@code
 * @Container
 * static final MockAPNsContainer CONTAINER = new MockAPNsContainer("mock-apns");
 *
 * @Test
 * void theCustomerIsTold() {
 *     try (var server = CONTAINER.join(); var apns = server.namespace("theCustomerIsTold")) {
 *         placeOrder(42, apns.url(), apns.key(), apns.keyId(), apns.teamId()); // pushes find the namespace by the key
 *         apns.expect(Map.of("aps.alert.title", "Shipped*"), exactly(1));
 *     }
 * }
 * }</pre>
 *
 * <p>Untested with Testcontainers itself, which is not to be had where this project is built; it is compiled against the
 * outlines of the classes that it uses.
 */
public final class MockAPNsContainer extends GenericContainer<MockAPNsContainer> {
    private static final int APNS = 2197;
    private static final int ADMIN = 2198;

    /** The image by its name; {@code docker build -t mock-apns .} makes it. */
    public MockAPNsContainer(String image) {
        super(DockerImageName.parse(image));
        withExposedPorts(APNS, ADMIN);
        waitingFor(Wait.forHttp("/readyz").forPort(ADMIN));
    }

    /** The server in the container, for namespaces. */
    public MockAPNs join() {
        return MockAPNs.builder()
            .admin("http://" + getHost() + ":" + getMappedPort(ADMIN))
            .url("https://" + getHost() + ":" + getMappedPort(APNS))
            .start();
    }
}
