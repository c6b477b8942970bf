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

# Prints a random UUID.
uuid() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen | tr A-Z a-z; }

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

# Prints a header of the response.
header() {
  tr -d '\r' <"$scratch/head" | awk -v name="$1:" '
    tolower($1) == tolower(name) { sub(/^[^:]*: */, ""); value = $0 } END { print value }'
}

# Prints the value of a cookie.
cookie() { awk -v name="$1" '$6 == name { print $7 }' "$scratch/cookies"; }

# Prints what a pattern finds.
match() { PATTERN=$1 perl -0777 -ne 'exit 1 unless /$ENV{PATTERN}/; print defined $1 ? $1 : $&'; }

# Prints a URL of the response as an absolute one.
absolute() {
  local page
  page=$(sed -n 2p "$scratch/status")
  case $1 in
    *://*) echo "$1" ;;
    /*) echo "$(expr "$page" : '\([a-z]*://[^/?#]*\)')$1" ;;
    *) echo "${page%/*}/$1" ;;
  esac
}

# Encodes a value for a URL.
encode() { jq -rn --arg value "$1" '$value | @uri'; }
