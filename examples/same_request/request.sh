#!/usr/bin/env bash
# Usage: request.sh FILE
#
# The request of main.cc on the command line.
exec slm select "$1" --target price -k 4 --weights weight --groups place=x,y --keep rooms,place --drop owner \
  --cv 3 --time-limit 600 --seed 7 --steps 300 --starts 2 --final-predictors 2 --json --quiet
