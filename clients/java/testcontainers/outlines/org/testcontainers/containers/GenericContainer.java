package org.testcontainers.containers;

import org.testcontainers.containers.wait.strategy.HttpWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** The outline of what MockAPNsContainer uses, so that it is compiled in the tests. */
public class GenericContainer<SELF extends GenericContainer<SELF>> {
    public GenericContainer(DockerImageName image) {}

    public SELF withExposedPorts(Integer... ports) {
        throw new UnsupportedOperationException();
    }

    public SELF waitingFor(HttpWaitStrategy strategy) {
        throw new UnsupportedOperationException();
    }

    public String getHost() {
        throw new UnsupportedOperationException();
    }

    public Integer getMappedPort(int port) {
        throw new UnsupportedOperationException();
    }
}
