#!/usr/bin/env bash
# secrets.yaml
set -euo pipefail
cd "$(dirname "$0")"

x=${x:?}
pw=${pw:?}
key=${key:?}
jot=${jot:?}
SEC=${SEC:?}
body=${body:?}
password=${password:?}

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

# bearer
curl --location --header "Authorization: Bearer $x" --compressed http://h/a
expect 2xx
check '.sent == "'"$x"'"'

# basic
curl --location --user "u:$pw" --compressed http://h/a
expect 2xx

# headers
curl --location --header "X-Api-Key: $key" --header "Authorization: $jot" --compressed http://h/a
expect 2xx

# patterns
# not exported: `capture` of body
# not exported: `expect.body`: a pattern with a secret or a value that only a run knows
# not exported: `expect.header`: a pattern with a secret or a value that only a run knows
# not exported: `expect.json`: a pattern with a secret or a value that only a run knows
curl --location --compressed http://h/a
expect 2xx
check '.c | startswith("'"$SEC"'")'

# rows [0]
curl --location --header 'Content-Type: application/json' --data-raw '{"user":"ann","p":"'"$body"'","all":{"name":"ann","password":"'"$password"'"}}' --compressed http://h/a
expect 2xx
