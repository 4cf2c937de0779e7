#!/bin/sh
# Runs the tests of webnn.ray on Ray clusters of this machine. Exit status 77: skipped, because Ray is not installed.
# usage: test_ray.sh [arguments of pytest]
set -eu
cd "$(dirname "$0")/../../bindings/python"
python=../../build/ray/bin/python
if [ ! -x "$python" ]; then
  echo "skipped: build/ray is not there (make ray installs it)"
  exit 77
fi
exec "$python" -m pytest --rootdir . -p no:cacheprovider "$@" cluster_tests
