#!/bin/sh
# Reads ten pictures of digits with the network of examples/digits. Fails unless all ten are right.
# usage: demo.sh PATH_OF_WEBNN
set -eu
webnn=$1
cd "$(dirname "$0")/../examples/digits"
case $webnn in /*) ;; *) webnn=../../$webnn ;; esac

right=0
for digit in 0 1 2 3 4 5 6 7 8 9; do
  output=$("$webnn" run digits.webnn --image "image=samples/$digit.png" --show --top 3 --labels labels.txt)
  echo "samples/$digit.png"
  echo "$output"
  echo
  best=$("$webnn" run digits.webnn --image "image=samples/$digit.png" --top 1 --labels labels.txt --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["outputs"]["probabilities"]["top"][0][0]["label"])')
  [ "$best" = "$digit" ] && right=$((right + 1))
done
echo "$right of 10 digits are right."
[ "$right" = 10 ]
