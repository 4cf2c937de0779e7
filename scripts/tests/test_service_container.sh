#!/bin/bash
# Runs the tests of the service twice: as an ordinary user, and as root of a container without privileges that cannot create user
# namespaces. Tests that need more privileges are skipped. If root starts this script, both parts run as an unprivileged user.
#
#   test_service_container.sh BUILD
set -eu
tests=$(realpath "$1")/tests

run='cd "$0" && failed=0
for test in test_service test_service_clients test_faults "test_cli --gtest_filter=CliService.*"; do
  echo "== ${test%% *}"
  timeout 900 ./$test --gtest_brief=1 || failed=1
done
exit $failed'
unprivileged=()
if [ "$(id -u)" = 0 ]; then
  unprivileged=(setpriv --reuid=65533 --regid=65533 --clear-groups env HOME=/nonexistent XDG_RUNTIME_DIR=)
fi

failed=0
echo "-- an ordinary user"
"${unprivileged[@]}" bash -c "$run" "$tests" || failed=1
echo "-- root of a container without rights"
"${unprivileged[@]}" unshare --user --map-root-user --mount --pid --fork --mount-proc bash -c \
  "echo 0 > /proc/sys/user/max_user_namespaces; $run" "$tests" || failed=1
exit $failed
