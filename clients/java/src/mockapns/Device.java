package mockapns;

import java.time.Duration;
import java.util.Map;

/** A registered device. */
public final class Device {
    private final APNs apns;
    private final String token;

    Device(APNs apns, String token) {
        this.apns = apns;
        this.token = token;
    }

    /** Its token. */
    public String token() {
        return token;
    }

    /** Changes it: members of the body of PATCH /v1/devices/{token}. */
    public void set(Map<String, ?> members) {
        apns.json("PATCH", "/devices/" + token, members);
    }

    /** The app was removed so long ago; pushes are answered 410, with that time as their timestamp. */
    public void unregister(Duration ago) {
        set(Map.of("state", "unregistered", "since", "-" + Expectation.inText(ago)));
    }

    /** What the device would be showing now. */
    public Map<String, Object> inbox() {
        return apns.json("GET", "/devices/" + token + "/inbox", null);
    }
}
