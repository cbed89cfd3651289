#!/bin/sh
# tests/package.sh: packs the crates of the simulation as for crates.io, and checks that they compile from what is in the packages, with no features but those that
# they ask for themselves. Not by cargo's own verification: cargo never looks again at what it has unpacked of a version, so that packages that have
# changed since it last ran in the same folder would be those of then.
set -eu
cd "$(dirname "$0")/.."
# These crates are linted elsewhere.
unset RUSTC_WORKSPACE_WRAPPER
crates='skidpad-math skidpad-files skidpad-xml skidpad-rays skidpad-vehicle skidpad-tracking skidpad-sim'
rm -rf target/package
cargo package --locked --quiet --allow-dirty --no-verify $(printf -- '-p %s ' $crates)
mkdir target/package/unpacked
cd target/package/unpacked
{
  printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n\n[patch.crates-io]\n'
  for crate in $crates; do
    for package in ../"$crate"-[0-9]*.crate; do tar -xzf "$package"; done
    printf '%s = { path = "%s" }\n' "$crate" "$(echo "$crate"-[0-9]*)"
  done
} > Cargo.toml
cp ../../../Cargo.lock .
# One by one, because what one asks for would also serve the others.
for crate in $crates; do CARGO_TARGET_DIR=../checked cargo check --quiet -p "$crate"; done
# Cargo took the versions of the workspace.
locked() { awk '/^name = / { name = $3 } /^version = / && name { print name, $3; name = "" }' "$1"; }
locked ../../../Cargo.lock > ../locked.txt
locked Cargo.lock > ../packed.txt
if grep -vxFf ../locked.txt ../packed.txt >&2; then
  printf 'Cargo.lock: found the libraries above in the packages\n  accepted: the versions of the workspace\n' >&2
  exit 1
fi
