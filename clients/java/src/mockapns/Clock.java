package mockapns;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The clock of a namespace. */
public final class Clock {
    private final APNs apns;

    Clock(APNs apns) {
        this.apns = apns;
    }

    /** Its time. */
    public Instant now() {
        return Instant.parse((String) apns.json("GET", "/clock", null).get("now"));
    }

    /** Moves it on. */
    public void advance(Duration time) {
        apns.json("POST", "/clock", Map.of("advance", Expectation.inText(time)));
    }

    /** Lets it stand still. */
    public void freeze(Instant at) {
        apns.json("PUT", "/clock", Map.of("freeze", at.toString()));
    }

    /** Gives it the machine's time again. */
    public void resume() {
        apns.json("PUT", "/clock", Map.of("mode", "real"));
    }
}
