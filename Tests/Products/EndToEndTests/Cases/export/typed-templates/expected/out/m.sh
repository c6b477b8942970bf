#!/usr/bin/env bash
# m.yaml
set -euo pipefail
cd "$(dirname "$0")"

site=${site-Lax}
type=${type-text/csv}

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

# one
curl --location --compressed http://h/a
expect 2xx

# a max age
# not exported: `expect.cookie` in a script
curl --location --compressed http://h/b
expect 2xx

# a status
curl --location --compressed http://h/c
expect 201

# a type
curl --location --form 'rows="a,b";type='"$type" --compressed http://h/d
expect 2xx
