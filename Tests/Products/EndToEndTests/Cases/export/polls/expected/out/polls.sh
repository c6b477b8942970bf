#!/usr/bin/env bash
# polls.yaml
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

# Ends the script unless a condition on the JSON body holds.
check() {
  jq -e "$includes $1" "$scratch/body" >/dev/null && return
  echo "not so: $1" >&2
  exit 1
}
includes='def includes($part):
  if type == "string" then contains($part) elif type == "object" then has($part) else index([$part]) != null end;'

# Tests a condition on the JSON body.
holds() { (check "$1") 2>/dev/null; }

# waits for a status
for _ in {1..2}; do
  curl --location --compressed http://127.0.0.1:<port>/a
  (expect 404) 2>/dev/null && break
  sleep 1
done
expect 404

# waits for a status and a value
for _ in {1..3}; do
  curl --location --compressed http://127.0.0.1:<port>/b
  (expect 200 3xx) 2>/dev/null && holds '.state == "done"' && break
  sleep 0.5
done
expect 200 3xx

# waits for what it expects
for _ in {1..3}; do
  curl --location --compressed http://127.0.0.1:<port>/c
  (expect 201) 2>/dev/null && break
  sleep 0.5
done
expect 201
