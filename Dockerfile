# skidpad in containers: `docker build -t skidpad .` makes an image without ROS, `docker build -t skidpad:ros --target ros .` one of the ROS 2 node.
# docs/getting-started.md (In a container) says how to run them; tests/conventions/containers.rs compares this file with what it names.
ARG RUST=1.95
ARG ROS_DISTRO=jazzy

FROM rust:${RUST}-bookworm AS rust

# With .git: the program says which commit it is of.
FROM rust AS build
WORKDIR /src/skidpad
COPY . .
RUN cargo build --locked --release --bin skidpad \
    && install -D target/release/skidpad /out/bin/skidpad \
    && install -d /out/share/skidpad \
    && cp -r config worlds /out/share/skidpad/

FROM ros:${ROS_DISTRO}-ros-base AS ros-system
# The messages that the image of ROS lacks.
RUN apt-get update \
    && apt-get install -y --no-install-recommends "ros-$ROS_DISTRO-ackermann-msgs" "ros-$ROS_DISTRO-simulation-interfaces" \
    && rm -rf /var/lib/apt/lists/*

FROM ros-system AS ros-build
RUN apt-get update \
    && apt-get install -y --no-install-recommends build-essential cmake git libclang-dev python3-colcon-common-extensions \
    && rm -rf /var/lib/apt/lists/*
# Rust of Ubuntu is too old.
COPY --from=rust /usr/local/rustup /usr/local/rustup
COPY --from=rust /usr/local/cargo /usr/local/cargo
ENV RUSTUP_HOME=/usr/local/rustup CARGO_HOME=/usr/local/cargo PATH=/usr/local/cargo/bin:$PATH
WORKDIR /src
COPY . skidpad
RUN . "/opt/ros/$ROS_DISTRO/setup.sh" \
    && colcon build --base-paths skidpad --merge-install --install-base /opt/skidpad --cmake-args -DCMAKE_BUILD_TYPE=Release

FROM ros-system AS ros
COPY --from=ros-build /opt/skidpad /opt/skidpad
RUN useradd --create-home skidpad && install -d -o skidpad /work
USER skidpad
WORKDIR /work
# The page is looked at from outside.
ENV SKIDPAD_WEB=0.0.0.0:8520
EXPOSE 8520
ENTRYPOINT ["/bin/bash", "-c", ". /opt/skidpad/setup.bash && exec /opt/skidpad/lib/skidpad/skidpad \"$@\"", "skidpad"]
CMD ["--help"]

FROM debian:bookworm-slim AS skidpad
COPY --from=build /out /usr/local
RUN useradd --create-home skidpad && install -d -o skidpad /work
USER skidpad
WORKDIR /work
# The page is looked at from outside.
ENV SKIDPAD_WEB=0.0.0.0:8520
EXPOSE 8520
ENTRYPOINT ["skidpad"]
CMD ["--help"]
