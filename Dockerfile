# Robusto in a small image: docker build -t robusto . && docker run --rm -v "$PWD:/src" robusto check program.c
FROM rust:1-bookworm AS build
WORKDIR /robusto
COPY . .
ARG ROBUSTO_COMMIT=
RUN cargo build --release --locked -p robusto && strip target/release/robusto

# A C compiler preprocesses files with #include.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /robusto/target/release/robusto /usr/local/bin/robusto
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/robusto/
WORKDIR /src
ENTRYPOINT ["robusto"]
CMD ["--help"]
