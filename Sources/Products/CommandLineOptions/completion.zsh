# The tags, names or environments of the files on the command line, or of all that are here.
_reqrun_candidates() {
  local word
  local -a files found
  for word in ${(Q)words[2,-1]}; do [[ -e $word ]] && files+=($word); done
  (( $#files )) || files=(.)
  found=(${(f)"$(${(Q)words[1]} __candidates $1 $files 2>/dev/null)"})
  [[ $1 == tags ]] && compset -P '*,'
  compadd -- $found
}
_reqrun_pair() {
  if compset -P '*='; then _files; else compadd -S = -- "$@"; fi
}
