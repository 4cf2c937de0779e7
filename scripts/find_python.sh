#!/bin/sh
# Prints the path of the Python interpreter of a version: from PATH, or else from pyenv. Exit status 1: there is none.
# usage: find_python.sh 3.12
version=$1
for python in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
  "$python" -c "import sys, sysconfig; print(sys.executable); sys.exit(f'{sys.version_info.major}.{sys.version_info.minor}' != '$version')" \
    2>/dev/null && exit
done
exit 1
