package mockapns;

import java.time.Duration;

/** How many pushes must match, and by when; for {@link APNs#expect}. */
public final class Expectation {
    final String member;
    final Object value;

    private Expectation(String member, Object value) {
        this.member = member;
        this.value = value;
    }

    /** At least so many; one, unless told. */
    public static Expectation count(int number) {
        return new Expectation("count", number);
    }

    /** So many and no more. */
    public static Expectation exactly(int number) {
        return new Expectation("exactly", number);
    }

    /** How long to wait at most: 5 s, unless told. */
    public static Expectation within(Duration time) {
        return new Expectation("wait", inText(time));
    }

    /** The quiet behind the last match that {@link #exactly} asks for: 200 ms, unless told. */
    public static Expectation settle(Duration time) {
        return new Expectation("settle", inText(time));
    }

    /** Only what came after a cursor. */
    public static Expectation after(long cursor) {
        return new Expectation("after", cursor);
    }

    /** A duration as the server writes it, in whole milliseconds. */
    static String inText(Duration time) {
        return time.toMillis() + "ms";
    }
}
