package mockapns;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A world of its own on a server: a log, devices, rules, keys and a clock that no other test sees. */
public final class APNs implements AutoCloseable {
    private final MockAPNs server;
    private final String name;
    private final String path;
    private final Map<String, String> urls = new HashMap<>();
    private final String key;
    private final String keyId;
    private final String teamId;
    private final Clock clock = new Clock(this);
    private boolean ended;

    APNs(MockAPNs server, Map<String, Object> made) {
        this.server = server;
        name = (String) made.get("name");
        path = "/v1/ns/" + name;
        urls.putAll(server.urls);
        if (made.get("apns") instanceof Map<?, ?> own) {
            Map.of("apns", "port", "h2c", "h2cPort", "http1", "http1Port").forEach((kind, member) -> {
                if (own.get(member) instanceof Long port) {
                    urls.put(kind, (kind.equals("apns") ? "https://" : "http://") + own.get("host") + ":" + port);
                }
            });
        }
        var signing = (Map<?, ?>) made.get("key");
        key = (String) signing.get("p8");
        keyId = (String) signing.get("keyId");
        teamId = (String) signing.get("teamId");
    }

    /** The namespace. */
    public String name() {
        return name;
    }

    /** The namespace's part of the admin API. */
    public String base() {
        return server.admin.base + path;
    }

    /** Where senders push over TLS. */
    public String url() {
        return urls.get("apns");
    }

    /** Where they push in clear text as HTTP/2; null when the server does not listen so. */
    public String h2cURL() {
        return urls.get("h2c");
    }

    /** Where they push in clear text as HTTP/1.1; null when the server does not listen so. */
    public String http1URL() {
        return urls.get("http1");
    }

    /** The host of {@link #url}. */
    public String host() {
        return URI.create(url()).getHost();
    }

    /** The port of {@link #url}. */
    public int port() {
        return URI.create(url()).getPort();
    }

    /** The test CA that senders must trust, as PEM. */
    public String ca() {
        return server.ca;
    }

    /** The key that senders sign with, the text of a .p8 file. */
    public String key() {
        return key;
    }

    /** The key's id, {@code kid} in tokens. */
    public String keyId() {
        return keyId;
    }

    /** The team, {@code iss} in tokens. */
    public String teamId() {
        return teamId;
    }

    /** The clock of the namespace. */
    public Clock clock() {
        return clock;
    }

    /** A provider token of the namespace's key, for senders without a library. */
    public String providerToken(Instant issued) {
        try {
            var text = base64(Json.write(Map.of("alg", "ES256", "kid", keyId)).getBytes(StandardCharsets.UTF_8)) + "."
                + base64(Json.write(Map.of("iss", teamId, "iat", issued.getEpochSecond())).getBytes(StandardCharsets.UTF_8));
            var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(privateKey(key));
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + base64(signature.sign());
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        var encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
        // Keys of provider tokens are EC; those of client certificates RSA, as Apple's are, unless asked otherwise.
        var specification = new PKCS8EncodedKeySpec(encoded);
        try {
            return KeyFactory.getInstance("EC").generatePrivate(specification);
        } catch (java.security.spec.InvalidKeySpecException notEC) {
            return KeyFactory.getInstance("RSA").generatePrivate(specification);
        }
    }

    /** A TLS context that trusts the test CA, for senders that take one. */
    public SSLContext sslContext() {
        return sslContext(null);
    }

    /** The same with a client certificate: members of the body of POST /v1/certs say which. */
    public SSLContext sslContext(Map<String, ?> certificate) {
        try {
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", read(ca()));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyManagerFactory keys = null;
            if (certificate != null) {
                var made = json("POST", "/certs", certificate);
                var own = KeyStore.getInstance("PKCS12");
                own.load(null, null);
                own.setKeyEntry("sender", privateKey((String) made.get("key")), new char[0],
                    new Certificate[] {read((String) made.get("certificate"))});
                keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(own, new char[0]);
            }
            var context = SSLContext.getInstance("TLS");
            context.init(keys == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | java.io.IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Certificate read(String pem) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    /** An HTTP client that trusts the test CA and speaks HTTP/2. */
    public HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(sslContext()).build();
    }

    /**
     * Waits for pushes that match and gives them; fails with the nearest misses when they do not come.
     *
     * <p>Without a number at least one is expected. {@code Map.of("outcome", "rejected")} asks for refusals.
     */
    public List<Entry> expect(Map<String, ?> match, Expectation... expectations) {
        var wanted = new HashMap<String, Object>(Map.of("outcome", "accepted"));
        wanted.putAll(match);
        var question = new HashMap<String, Object>(Map.of("match", wanted, "wait", "5s", "after", 0));
        for (var expectation : expectations) question.put(expectation.member, expectation.value);
        judge("/requests/query", question);
        return query(Map.of("match", wanted, "after", question.get("after"), "limit", 1000));
    }

    /** Expects that nothing matches, and that nothing comes within 200 ms, unless told. */
    public void expectNone(Map<String, ?> match, Expectation... expectations) {
        var all = new ArrayList<>(List.of(Expectation.exactly(0), Expectation.within(Duration.ofMillis(200))));
        all.addAll(List.of(expectations));
        expect(match, all.toArray(Expectation[]::new));
    }

    /** Several expectations at once, in order or with nothing else: members of the body of POST /v1/verify. */
    public void verify(Map<String, ?> members) {
        var question = new HashMap<String, Object>(Map.of("wait", "5s"));
        question.putAll(members);
        judge("/verify", question);
    }

    private void judge(String resource, Map<String, ?> question) {
        fail(server.admin.call("POST", path + resource, "text/plain", question));
    }

    private static void fail(Admin.Answer answer) {
        if (answer.status() == 417) throw new ExpectationError(answer.text().strip());
        if (answer.status() >= 300) throw new MockAPNsException(answer.text().strip());
    }

    /** What has arrived by now: accepted, rejected, faulted and broken, unless the match says which. */
    public List<Entry> requests(Map<String, ?> match) {
        return query(Map.of("match", match, "limit", 1000));
    }

    @SuppressWarnings("unchecked")
    private List<Entry> query(Map<String, ?> question) {
        var items = (List<Map<String, Object>>) json("POST", "/requests/query", question).get("items");
        return items.stream().map(Entry::new).toList();
    }

    /** The number of the last entry, for {@link Expectation#after}. */
    public long cursor() {
        return (Long) json("GET", "/cursor", null).get("cursor");
    }

    /** The next push is refused by this reason. */
    public void failNext(String reason) {
        failNext(Map.of("reason", reason));
    }

    /** The next pushes are refused by this reason. */
    public void failNext(String reason, int times) {
        failNext(Map.of("reason", reason, "times", times));
    }

    /** The next pushes fail: members of the body of POST /v1/fail-next. */
    public void failNext(Map<String, ?> members) {
        json("POST", "/fail-next", members);
    }

    /** Adds a rule: members of the body of POST /v1/rules. */
    public void rule(Map<String, ?> members) {
        json("POST", "/rules", members);
    }

    /** Registers a device that is good for these topics, or for all without one. */
    public Device device(String... topics) {
        return device(topics.length == 0 ? Map.of() : Map.of("topics", List.of(topics)));
    }

    /** Registers a device: members of the body of POST /v1/devices. */
    public Device device(Map<String, ?> members) {
        var items = (List<?>) json("POST", "/devices", members).get("items");
        return new Device(this, (String) ((Map<?, ?>) items.get(0)).get("token"));
    }

    /** Back to the state at start, but for what is to be kept: journal, keys, certs, devices, channels, rules, clock. */
    public void reset(String... keep) {
        json("POST", "/reset", Map.of("keep", List.of(keep)));
    }

    /** Ends the namespace; fails when a push was refused unasked, a rule never fired, or a finding is an error. */
    public void verdict() {
        if (!ended) fail(end("?verdict=clean"));
    }

    /** Ends the namespace without a judgement. */
    @Override
    public void close() {
        if (!ended) end("");
    }

    Admin.Answer end(String query) {
        ended = true;
        return server.admin.call("DELETE", "/v1/namespaces/" + name + query, "text/plain", null);
    }

    boolean hasEnded() {
        return ended;
    }

    Map<String, Object> json(String method, String resource, Map<String, ?> body) {
        return server.admin.json(method, path + resource, body);
    }
}
