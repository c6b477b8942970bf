#!/usr/bin/env bash
# values.yaml
set -euo pipefail
cd "$(dirname "$0")"

limit=${limit-5}

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
touch "$scratch/cookies"

# Sends a request with the cookies of those before it, and keeps the response.
curl() {
  "$(type -P curl)" --silent --show-error \
    --cookie "${cookies-$scratch/cookies}" --cookie-jar "${cookies-$scratch/cookies}" --dump-header "$scratch/head" --output "$scratch/body" \
    --write-out '%{http_code}\n%{url_effective}\n' "$@" >"$scratch/status" || return
  cat "$scratch/body"
  echo
}

# Ends the script unless the status is one of these, such as 201 or 2xx.
expect() {
  local status wanted
  status=$(sed -n 1p "$scratch/status")
  for wanted in "$@"; do
    case $status in ${wanted//x/?}) return ;; esac
  done
  echo "expected the status $*, found $status" >&2
  exit 1
}

# a date, and a number
curl --location --header 'Content-Type: application/json' --data-raw '{"at":"2026-01-02T03:04:05Z","limit":'"$limit"'}' --compressed http://h/
expect 2xx
id=$(jq -er .id "$scratch/body")

# a variable made from a capture
path="items/$id"
curl --location --header 'X-Next: 6' --compressed "http://h/$path"
expect 2xx

# computes with a capture
# left out: it needs `id`, which only a response to "a date, and a number" in line 5 gives
