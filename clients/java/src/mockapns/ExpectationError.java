package mockapns;

/** An expectation was not met; the message is what the server says about it. */
public final class ExpectationError extends AssertionError {
    private static final long serialVersionUID = 1;

    ExpectationError(String text) {
        super(text);
    }
}
