#!/bin/sh
# Checks for tools that not every machine has: web/tools.sh WHAT TOOL... exits with 0 if they exist; otherwise it prints one line that WHAT is left out and exits
# with 1, or with 2 if CI=true, where nothing may be left out. Tools: node, chromium, vulkan, valgrind.
what=$1
shift

# The browser of the tests: SKIDPAD_CHROMIUM, or what Debian, Ubuntu and Google call it. The function has another name, because `command -v` finds functions too.
has_chromium() {
  for name in "${SKIDPAD_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  return 1
}

# A driver of Vulkan; macOS needs none.
has_vulkan() {
  [ "$(uname -s)" != Darwin ] || return 0
  for driver in ${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-/usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json}}; do
    if [ -e "$driver" ]; then return; fi
  done
  return 1
}

# What Vite asks for.
node_is_new_enough() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)'
}

missing() {
  if [ "${CI:-}" = true ]; then
    printf '%s: not tested, for %s\n  accepted: %s\n  hint: CI=true makes this an error; elsewhere it is left out\n' "$what" "$1" "$2" >&2
    exit 2
  fi
  echo "$what: left out, for $1 (accepted: $2)"
  exit 1
}

for tool in "$@"; do
  case "$tool" in
    node)
      command -v node > /dev/null && command -v npm > /dev/null || missing "there is no node or no npm on the PATH" "Node.js 20.19, 22.12 or later"
      node_is_new_enough || missing "node is $(node --version)" "Node.js 20.19, 22.12 or later"
      ;;
    chromium)
      has_chromium > /dev/null || missing "there is no Chromium on the PATH" "chromium, chromium-browser, google-chrome, or SKIDPAD_CHROMIUM=PATH"
      ;;
    vulkan)
      has_vulkan || missing "there is no driver of Vulkan" "that of a graphics processor, or Mesa's in software: mesa-vulkan-drivers on Debian and Ubuntu"
      ;;
    valgrind)
      command -v valgrind > /dev/null || missing "there is no valgrind on the PATH" "valgrind 3.19 or later"
      [ "$(uname -m)" = x86_64 ] || missing "the figures are of x86_64, this machine is $(uname -m)" "x86_64"
      ;;
    *)
      echo "web/tools.sh: found \"$tool\", accepted: node, chromium, vulkan, valgrind" >&2
      exit 2
      ;;
  esac
done
