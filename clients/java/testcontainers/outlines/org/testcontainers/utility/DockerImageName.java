package org.testcontainers.utility;

/** The outline of what MockAPNsContainer uses, so that it is compiled in the tests. */
public final class DockerImageName {
    public static DockerImageName parse(String name) {
        throw new UnsupportedOperationException();
    }
}
