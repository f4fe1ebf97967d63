package mockapns;

/** Something is wrong with the set-up; the message is one sentence with the fix, or what the server says. */
public final class MockAPNsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MockAPNsException(String message) {
        super(message);
    }

    MockAPNsException(String message, Throwable cause) {
        super(message, cause);
    }
}
