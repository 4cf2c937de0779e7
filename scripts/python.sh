#!/bin/sh
# Runs the Python of build/python (see setup_python.sh), or of the folder WEBNN_PYTHON_FOLDER; if the folder has none, the
# system's.
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${WEBNN_PYTHON_FOLDER:-$here/build/python}
[ -x "$folder/bin/python" ] && exec "$folder/bin/python" "$@"
exec python3 "$@"
