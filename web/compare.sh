#!/bin/sh
# Is web/dist what web/src builds? Builds the page into a temporary folder and compares the two byte for byte.
set -eu
cd "$(dirname "$0")"
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
npx --no-install vite build --logLevel error --outDir "$built/dist" --emptyOutDir
if ! diff -rq dist "$built/dist" > "$built/differences"; then
  echo "web/dist: is not what web/src builds" >&2
  sed "s|$built/dist|the new build|g; s|^|  |" "$built/differences" >&2
  echo "  hint: make page, and commit web/dist" >&2
  exit 1
fi
