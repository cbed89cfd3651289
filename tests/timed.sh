#!/bin/sh
# tests/timed.sh NAME COMMAND...: runs the command, then says how long it took and adds that to target/times.txt.
name=$1
shift
begin=$(date +%s)
"$@"
status=$?
mkdir -p target
printf '%6d s  %s%s\n' $(($(date +%s) - begin)) "$name" "$([ $status = 0 ] || echo ' (failed)')" | tee -a target/times.txt
exit $status
