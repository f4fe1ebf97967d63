package org.testcontainers.containers.wait.strategy;

/** The outline of what MockAPNsContainer uses, so that it is compiled in the tests. */
public class Wait {
    public static HttpWaitStrategy forHttp(String path) {
        throw new UnsupportedOperationException();
    }
}
