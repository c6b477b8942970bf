# The tags, names or environments of the files on the command line, or of all that are here.
function __reqrun_candidates
    set -l words (commandline -opc)
    set -l files
    for word in $words[2..-1]
        test -e $word; and set -a files $word
    end
    set -q files[1]; or set files .
    $words[1] __candidates $argv $files 2>/dev/null
end
