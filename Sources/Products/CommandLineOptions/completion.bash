# Offers the lines that begin with what is typed, of which readline replaces what stands behind the last = or :.
_reqrun_offer() {
  local line kept=$before$value breaks=
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
  if [[ -n $breaks ]]; then kept=${kept%"${kept##*[$breaks]}"}; else kept=; fi
  while IFS= read -r line; do
    [[ $line == "$value"* ]] || continue
    [[ $line == *= ]] && compopt -o nospace 2>/dev/null || line=$(printf %q "$line")
    line=$before$line
    COMPREPLY+=("${line#"$kept"}")
  done
  # Where nothing fits, files don't either.
  compopt +o default 2>/dev/null
}
# The tags, names or environments of the files on the command line, or of all that are here.
_reqrun_candidates() {
  local word files=()
  for word in "${COMP_WORDS[@]:1}"; do [[ -e $word ]] && files+=("$word"); done
  "${2/#\~/$HOME}" __candidates "$1" "${files[@]:-.}" 2>/dev/null
}
