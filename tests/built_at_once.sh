#!/bin/sh
# tests/built_at_once.sh PACKAGES...: fails if the build that has just been made compiles anything when it is asked for again, as `make run` does after `make build`.
for packages in "$@"; do
  # The options of cargo are several words.
  # shellcheck disable=SC2086
  said=$(cargo build --locked $packages 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
  if printf '%s\n' "$said" | grep Compiling; then
    printf 'cargo build: found these crates compiled by a second build\n  accepted: none, as nothing has changed\n  hint: CARGO_LOG=cargo::core::compiler::fingerprint=info tells why\n' >&2
    exit 1
  fi
done
