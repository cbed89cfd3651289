#!/bin/sh
# tests/timed.sh NAME COMMAND...: runs the command, then says how long it took and how much processor time, and adds that to target/times.txt.
name=$1
shift
begin=$(date +%s)
"$@"
status=$?
mkdir -p target
# The second line is of the command: 1m23.45s of it in programs, 0m6.7s in the system. Of a subshell it would be of that.
times > "target/times-$$.txt"
processor=$(sed -n '2s/[ms]/ /gp' "target/times-$$.txt" | { read -r minutes seconds minutes_in_system seconds_in_system &&
  echo $((60 * (minutes + minutes_in_system) + ${seconds%.*} + ${seconds_in_system%.*})); })
rm "target/times-$$.txt"
printf '%6d s  %6d s of processor time  %s%s\n' $(($(date +%s) - begin)) "$processor" "$name" "$([ $status = 0 ] || echo ' (failed)')" | tee -a target/times.txt
exit $status
