# Stage one builds one static file; stage two is that file and nothing else.
FROM swift:6.2-bookworm AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libnghttp2-dev libssl-dev libevent-dev pkg-config make binutils \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift Makefile ./
COPY scripts scripts
COPY Sources Sources
COPY Tests Tests
RUN make static && mkdir -m 0700 /state

FROM scratch
COPY --from=build /src/.build/static/release/mock-apns /mock-apns
COPY --from=build --chown=65532:65532 /state /state
USER 65532:65532
ENV MOCK_APNS_LISTEN=0.0.0.0:2197 \
    MOCK_APNS_ADMIN_LISTEN=0.0.0.0:2198 \
    MOCK_APNS_CERTS=/state \
    MOCK_APNS_LOG=/state/inspection.ndjson
EXPOSE 2197 2198
VOLUME /state
HEALTHCHECK --interval=15s --start-period=10s --timeout=2s CMD ["/mock-apns", "ready"]
ENTRYPOINT ["/mock-apns"]
CMD ["serve"]
