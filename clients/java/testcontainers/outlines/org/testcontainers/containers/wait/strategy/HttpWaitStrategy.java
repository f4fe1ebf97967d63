package org.testcontainers.containers.wait.strategy;

/** The outline of what MockAPNsContainer uses, so that it is compiled in the tests. */
public class HttpWaitStrategy {
    public HttpWaitStrategy forPort(int port) {
        throw new UnsupportedOperationException();
    }
}
