# Makes this shell a ROS 2 shell for skidpad: `source ros/env.sh` in bash or zsh, `. ros/env.sh` in the checkout's folder in sh.
#
# With a ROS sourced already it puts skidpad's messages in front of it, and `skidpad` on the PATH. Otherwise it sets up the private
# ROS of .ros/, which `make ros` makes, and puts `skidpad` and a `ros2` on the PATH. Sourcing twice changes nothing.

if [ -n "${BASH_VERSION:-}" ]; then
  skidpad_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
elif [ -n "${ZSH_VERSION:-}" ]; then
  skidpad_root=$(eval 'cd "$(dirname "${(%):-%x}")/.." && pwd -P')
else
  skidpad_root=$(pwd -P)
fi

# skidpad_prepend VARIABLE FOLDER: FOLDER comes first in the list VARIABLE, and only there.
skidpad_prepend() {
  eval "skidpad_list=\${$1:-}"
  skidpad_rest=$(printf '%s' "$skidpad_list" | tr ':' '\n' | { grep -v -x -F -e "$2" -e '' || true; } | tr '\n' ':')
  skidpad_list="$2:${skidpad_rest%:}"
  eval "export $1=\${skidpad_list%:}"
}

skidpad_kind=private
if [ -n "${ROS_DISTRO:-}" ]; then
  case ":${AMENT_PREFIX_PATH:-}:" in
    *":$skidpad_root/.ros/prefix:"*) ;;
    *) skidpad_kind="sourced-$ROS_DISTRO" ;;
  esac
fi

# What `make ros` has left: the folder of skidpad's messages, and where below a prefix Python modules are.
skidpad_messages=
skidpad_site=
if [ -r "$skidpad_root/.ros/ready-$skidpad_kind" ]; then
  read -r skidpad_messages skidpad_site < "$skidpad_root/.ros/ready-$skidpad_kind"
fi

if [ ! -f "$skidpad_root/ros/env.sh" ]; then
  echo "ros/env.sh: not sourced from the checkout's folder" >&2
  echo "  hint: in this shell, cd there first" >&2
  false
elif [ -z "$skidpad_messages" ] && [ -z "${SKIDPAD_ENV_UNFINISHED:-}" ]; then
  echo "ros/env.sh: ROS is not prepared for this checkout" >&2
  echo "  hint: run: make ros" >&2
  false
else
  if [ "$skidpad_kind" = private ]; then
    skidpad_prefix="$skidpad_root/.ros/prefix"
    export ROS_DISTRO=jazzy ROS_VERSION=2 ROS_PYTHON_VERSION=3
    skidpad_prepend AMENT_PREFIX_PATH "$skidpad_prefix"
    skidpad_prepend AMENT_PREFIX_PATH "$skidpad_root/.ros/overlay"
    skidpad_prepend CMAKE_PREFIX_PATH "$skidpad_prefix"
    skidpad_prepend CMAKE_PREFIX_PATH "$skidpad_root/.ros/overlay"
    skidpad_prepend LD_LIBRARY_PATH "$skidpad_prefix/lib"
    skidpad_prepend LD_LIBRARY_PATH "$skidpad_root/.ros/overlay/lib"
    skidpad_prepend PATH "$skidpad_prefix/bin"
    # The wheels bring no command line of ROS 2.
    skidpad_prepend PATH "$skidpad_root/ros/cli"
    export LIBCLANG_PATH="$skidpad_prefix/$skidpad_site/clang/native"
    # The wheel of libclang has no headers of its own (stdbool.h, stddef.h): it borrows the C compiler's.
    skidpad_header=$("${CC:-cc}" -print-file-name=include/stddef.h 2>/dev/null || true)
    case " ${BINDGEN_EXTRA_CLANG_ARGS:-} " in
      *" -isystem ${skidpad_header%/stddef.h} "*) ;;
      *) export BINDGEN_EXTRA_CLANG_ARGS="${BINDGEN_EXTRA_CLANG_ARGS:+$BINDGEN_EXTRA_CLANG_ARGS }-isystem ${skidpad_header%/stddef.h}" ;;
    esac
    unset skidpad_header
    export CMAKE_TOOLCHAIN_FILE="$skidpad_root/ros/toolchain.cmake"
    # The wheels' start-up code would restart every Python to set LD_LIBRARY_PATH, which is set here.
    export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
    skidpad_prepend PYTHONPATH "$skidpad_root/.ros/overlay/$skidpad_site"
    unset skidpad_prefix
  fi
  skidpad_prepend PATH "$skidpad_root/ros/bin"
  # In a shell of a person `skidpad <tab>` completes; in zsh that is up to those who have its completions, docs/command-line.md.
  case "$-:${BASH_VERSION:-}" in
    *i*:?*) eval "$(sed 's/PROGRAM/skidpad/' "$skidpad_root/src/cli/complete/skidpad.bash")" ;;
  esac
  if [ -n "$skidpad_messages" ]; then
    export SKIDPAD_STAGED_MESSAGES="$skidpad_root/.ros/$skidpad_messages"
    skidpad_prepend AMENT_PREFIX_PATH "$SKIDPAD_STAGED_MESSAGES"
    skidpad_prepend CMAKE_PREFIX_PATH "$SKIDPAD_STAGED_MESSAGES"
    skidpad_prepend LD_LIBRARY_PATH "$SKIDPAD_STAGED_MESSAGES/lib"
    skidpad_prepend PYTHONPATH "$SKIDPAD_STAGED_MESSAGES/$skidpad_site"
  fi
  unset skidpad_site skidpad_list skidpad_rest skidpad_root skidpad_kind skidpad_messages
  unset -f skidpad_prepend
  true
fi
