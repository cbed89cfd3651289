#!/bin/sh
# Does colcon build the package, and is what it installs usable? In a temporary workspace that links this checkout:
#   1 the messages come from the build itself; a stand-in for cargo checks that they are in front before cargo is asked
#   2 the real executables (the debug build that the other tests have made) and the messages that `make ros` has staged
set -eu
cd "$(dirname "$0")/.."
. ros/env.sh
root=$(pwd -P)
workspace=$(mktemp -d)
trap 'rm -rf "$workspace"' EXIT
mkdir "$workspace/src"
ln -s "$root" "$workspace/src/skidpad"
cd "$workspace"

fail() {
  echo "tests/colcon.sh: $1" >&2
  exit 1
}

# colcon_build NAME OPTION...: builds into build/NAME and install/NAME, quietly unless it fails.
colcon_build() {
  name=$1
  shift
  colcon --log-base "log/$name" build --build-base "build/$name" --install-base "install/$name" \
    --event-handlers console_direct- console_cohesion+ --cmake-args -DCMAKE_BUILD_TYPE=Debug "$@" > "$name.txt" 2>&1 \
    || { cat "$name.txt"; fail "colcon build ($name) failed"; }
  [ -f "install/$name/setup.sh" ] || fail "no install/$name/setup.sh"
  share="install/$name/skidpad/share/skidpad"
  for folder in launch config worlds msg; do
    if [ -d "$root/$folder" ]; then
      [ -n "$(ls "$share/$folder")" ] || fail "nothing in $share/$folder"
    fi
  done
  [ -f "install/$name/skidpad/share/ament_index/resource_index/packages/skidpad" ] || fail "no marker in the ament index"
  for file in package.xml msg/Pedals.msg msg/WheelStates.msg cmake/skidpadConfig.cmake local_setup.sh; do
    [ -f "$share/$file" ] || fail "no $share/$file"
  done
}

cat > cargo <<'END'
#!/bin/sh
# Stands in for cargo: takes --target-dir and --bin as cargo does and makes files instead of programs.
first=${AMENT_PREFIX_PATH%%:*}
case "$first" in "$EXPECTED"/*) ;; *) echo "cargo was started with $first in front" >&2; exit 1 ;; esac
[ -f "$first/share/skidpad/msg/WheelStates.msg" ] || { echo "cargo was started before the messages were there" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case "$1" in
    --target-dir) mkdir -p "$2/debug"; target=$2 ;;
    --bin) printf '#!/bin/sh\necho stand-in\n' > "$target/debug/$2" ;;
  esac
  shift
done
END
chmod +x cargo
export EXPECTED="$workspace/build/alone/skidpad/interfaces"
(
  unset SKIDPAD_STAGED_MESSAGES
  colcon_build alone "-DCARGO=$workspace/cargo"
)
[ "$(install/alone/skidpad/lib/skidpad/skidpad)" = stand-in ] || fail "the executable is not installed"
(
  set +u
  COLCON_CURRENT_PREFIX="$workspace/install/alone"
  . install/alone/local_setup.sh
  python3 -c "import skidpad.msg, sys; sys.exit(not skidpad.__file__.startswith('$workspace'))" || fail "the messages cannot be imported after local_setup.sh"
)
[ -z "$(find install/alone -name 'skidpad-*.egg-info')" ] || fail "pip takes skidpad's Python package for installed"
# The Python package of the same name beside it, in either order: a stand-in.
mkdir -p python/skidpad
: > python/skidpad/_skidpad.py
cp "$root/python/skidpad/__init__.py" python/real.py
sed -e 's/^from \._skidpad import .*/World = "stand-in"; POSE = STATE = WHEEL = BatchReading = Path = Reading = Worlds = __version__ = None/' \
  -e '/^from \.errors import/d' python/real.py > python/skidpad/__init__.py
(
  set +u
  COLCON_CURRENT_PREFIX="$workspace/install/alone"
  . install/alone/local_setup.sh
  for path in "$PYTHONPATH:$workspace/python" "$workspace/python:$PYTHONPATH"; do
    PYTHONPATH=$path python3 -c "import skidpad, skidpad.msg, sys; sys.exit(skidpad.World != 'stand-in' or not skidpad.msg.__file__.startswith('$workspace/install'))" \
      || fail "the Python package and the messages are not both there with PYTHONPATH=$path"
  done
)
echo "colcon build with its own messages: installed as expected"

export SKIDPAD_CARGO_TARGET_DIR="$root/target"
colcon_build real
install/real/skidpad/lib/skidpad/skidpad --version || fail "the installed executable does not run"
for name in $(sed -n 's/^set(SKIDPAD_NODES \(.*\))$/\1/p' "$root/CMakeLists.txt"); do
  "install/real/skidpad/lib/skidpad/$name" --help | grep -q "^Usage: skidpad node" || fail "the installed $name is not a node"
done
echo "colcon build with cargo: installed as expected"
