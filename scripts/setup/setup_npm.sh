#!/bin/sh
# Installs the npm packages of FOLDER's package-lock.json into it, unless they are there.
# usage: setup_npm.sh FOLDER [arguments of npm ci]
set -eu
cd "$1"
shift
cmp -s package-lock.json node_modules/.installed.json && exit
npm ci --ignore-scripts --no-audit --no-fund "$@"
cp package-lock.json node_modules/.installed.json
