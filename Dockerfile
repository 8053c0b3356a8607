# For those who want a container: the Debian package on a slim Debian, run as its unprivileged user.
#
#   docker build -t crossfoot .
#   docker run --rm -v "$PWD/crossfoot:/var/lib/crossfoot" --env-file secrets.env crossfoot run
#
# /var/lib/crossfoot holds crossfoot.yml, the landing zone, the store and the reports: it has to outlive the container.
FROM swift:6.2-bookworm AS build
WORKDIR /source
RUN apt-get -qq update && apt-get -qq install -y --no-install-recommends \
  g++ pkg-config python3 dpkg-dev libsimdjson-dev libxlsxwriter-dev libzstd-dev libcurl4-openssl-dev libpq-dev libsqlite3-dev \
  zlib1g-dev libzip-dev libexpat1-dev
COPY . .
RUN scripts/package /package

FROM debian:bookworm-slim
COPY --from=build /package/*.deb /tmp/
RUN apt-get -qq update && apt-get -qq install -y --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
USER crossfoot
WORKDIR /var/lib/crossfoot
ENTRYPOINT ["/usr/bin/crossfoot"]
CMD ["--help"]
