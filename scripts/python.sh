#!/bin/sh
# Runs the Python of build/python (see setup_python.sh), or of the directory WEBNN_PYTHON_FOLDER; if that directory has none, the
# system's Python.
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${WEBNN_PYTHON_FOLDER:-$here/build/python}
[ -x "$folder/bin/python" ] && exec "$folder/bin/python" "$@"
exec python3 "$@"
