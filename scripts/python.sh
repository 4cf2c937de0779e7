#!/bin/sh
# Runs Python: that of build/python (see setup_python.sh) if it is there, else the system's.
here=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$here/build/python/bin/python" ] && exec "$here/build/python/bin/python" "$@"
exec python3 "$@"
