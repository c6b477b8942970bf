#!/usr/bin/env bash
# main.yaml
set -euo pipefail
cd "$(dirname "$0")"

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

# open an account
curl --location --header 'Content-Type: application/json' --data-raw '{}' --compressed http://h/accounts
expect 2xx
account=$(jq -er .id "$scratch/body")

# read
curl --location --compressed "http://h/accounts/$account"
expect 2xx
