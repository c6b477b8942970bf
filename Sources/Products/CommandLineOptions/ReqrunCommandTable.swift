import ReqrunKit

extension CommandTable {
  /// The command with which completion scripts ask for tags, names and environments.
  package static let candidatesWord = "__candidates"

  /// The command line of reqrun.
  package static let reqrun = CommandTable(
    program: "reqrun", version: Runner.version, date: "November 21, 2026",
    summary: "runs HTTP requests that YAML files describe, and checks the responses",
    commands: [
      run, send, starting, check, list, format, importing, export, show, mergeReports, diff, demo, doctor, completions,
      man, schema, help, candidates,
    ],
    defaultWord: "run",
    globalOptions: ReqrunOptions.global,
    plannedWords: ["mock"],
    exitStatuses: [
      ("0", "All requests passed"),
      ("1", "An expectation was not met, the run took too long, a file is not formatted, or reports differ"),
      ("2", "The command line or a request file is wrong"),
      ("3", "Only the network failed: name lookup, connection, TLS or a timeout"),
      ("4", "Nothing was selected"),
      ("5", "A report or the output could not be written, or a report could not be read"),
      ("130", "Interrupted; 143 by SIGTERM"),
    ])

  private static let files = ArgumentsSpec("FILE-OR-DIRECTORY…", count: 1...Int.max)

  /// Those of commands that can take the files of an earlier run.
  private static let filesOrReport = ArgumentsSpec(files.usage, count: files.count, or: "rerun-failed")

  private static let run = CommandSpec(
    "run", summary: "Send the requests of files and check the responses",
    description: """
      Files run side by side, the requests of a file in order, and the results are printed in the order of the \
      arguments. A directory stands for all .yaml and .yml files below it, FILE:LINE for the request in that line, - \
      for a file on standard input. \
      A selected request brings along the earlier ones whose captures it uses. The word run may be left out.
      """,
    arguments: filesOrReport,
    options: ReqrunOptions.options(of: "run"),
    examples: [
      .init("reqrun users.yaml", "Run a file"),
      .init("reqrun --demo Examples", "Try the examples against the demo server"),
      .init(
        "reqrun --tags smoke --report junit=report.xml tests", "Run what is tagged smoke, and write a report for CI"),
      .init("reqrun --var host=localhost --var retries:=3 users.yaml", "Set a text and a number"),
      .init("reqrun --watch --demo Examples", "Run what a change affects, as soon as a file is saved"),
      .init("reqrun --dry-run --curl users.yaml:12", "Show one request as a curl command, and send nothing"),
    ])

  private static let send = CommandSpec(
    "send", summary: "Send one request, and print the response",
    description: """
      The items are headers (Name:value, Name: for none, Name; for an empty one), the query (name==value), and the fields \
      of the body (name=text, name:=json, also nested: user[tags][]=x). With @ the value is in a file: Name:@file, \
      name==@file, name=@file, name:=@file; name@file sends a file as a part of a form, @file a whole body. A backslash \
      takes the meaning of such a sign away. The method is GET, or POST with a body, unless given. A URL without a scheme \
      is https, or http on this machine; :8080/x is localhost, /x goes after the base_url of the project. Templates, such \
      as ${{ uuid }}, are allowed in all of it.
      """,
    arguments: ArgumentsSpec("[METHOD] URL [ITEM…]", count: 1...Int.max),
    options: ReqrunOptions.ofSend + ReqrunOptions.shared.filter { $0.commands.contains("send") },
    foreignOptions: ReqrunOptions.foreignToSend,
    examples: [
      .init("reqrun send example.org/users", "Get a page"),
      .init("reqrun send :8080/users name=Ann age:=29", "Post JSON to this machine"),
      .init("reqrun send PUT example.org/users/7 -a basic:ann X-Trace:1 active:=true", "Ask for the password"),
      .init("reqrun send -f example.org/upload title=Sea photo@sea.png", "Upload a file"),
      .init("reqrun send example.org/users --query '$[*].name'", "Print names only"),
      .init("reqrun send example.org/users --save users.yaml --expect", "Make a test of it"),
      .init("reqrun send -v example.org/users < users.json", "Send standard input, and see both sides"),
    ])

  private static let starting = CommandSpec(
    "init", summary: "Write a collection to start from",
    description: """
      Writes a collection into a directory, the working directory unless given: a project file with environments, a \
      smoke test, a flow with a login, and the schema for editors. Its specs pass against the demo server at once. If one \
      of the files exists, none is written.
      """,
    arguments: ArgumentsSpec("[DIRECTORY]", count: 0...1), options: ReqrunOptions.options(of: "init"),
    examples: [.init("reqrun init my-api", "Start a collection, which `reqrun my-api` runs")])

  private static let check = CommandSpec(
    "check", summary: "Read files and tell what is wrong in them, without sending anything",
    description: """
      Reads the files as run does and reports every error and warning with its place. Nothing is sent. The exit \
      status is 2 if there are errors.
      """,
    arguments: files,
    options: ReqrunOptions.options(of: "check"),
    examples: [.init("reqrun check tests", "Check all files of a directory")])

  private static let list = CommandSpec(
    "list", summary: "List the requests of files, with their tags and places",
    description: "Prints a line for each request that run would send, in its order. Nothing is sent.",
    arguments: filesOrReport,
    options: ReqrunOptions.options(of: "list"),
    examples: [
      .init("reqrun list --tags smoke tests", "Tell what a selection holds"),
      .init(
        "reqrun list --variables --env staging tests", "Tell the variables of an environment, and where each is set"),
    ])

  private static let format = CommandSpec(
    "format", summary: "Format files in place",
    description: """
      Writes YAML files in one style: two blanks for each level, quotes only where they are needed, a blank line between \
      requests. Comments, line breaks and the order of keys stay, and so does what the file means. It prints the names \
      of the files that it changed. A directory stands for the specs and project files below it; - formats standard \
      input to standard output.
      """,
    arguments: files, options: ReqrunOptions.options(of: "format"),
    examples: [
      .init("reqrun format tests", "Format all specs of a directory"),
      .init("reqrun format --check tests", "Name those that are not formatted, with exit status 1 if there are any"),
    ])

  private static let importing = CommandSpec(
    "import", summary: "Make specs of the files of another tool",
    description: """
      Makes specs of the files of another tool, as a person would write them, and prints a single one, or writes all \
      into the directory of -o. The kinds are \
      \(ImportKind.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")); without KIND the first file tells. \
      Nothing in the files is executed. What specs cannot say stays as a comment at its place. Passwords and tokens are \
      not written: the specs read them from the environment.
      """,
    arguments: ArgumentsSpec("[KIND] FILE-OR-DIRECTORY…", count: 1...Int.max),
    options: ReqrunOptions.options(of: "import"),
    examples: [
      .init("reqrun import curl commands.sh", "Print a spec that sends what the commands send"),
      .init("reqrun import curl - < copied.txt > request.yaml", "Make a spec of what a browser copied as cURL"),
      .init("reqrun import collection.json -o specs", "Make specs of a collection, its kind found out"),
    ])

  private static let export = CommandSpec(
    "export", summary: "Write specs in the form of another tool",
    description: """
      Writes the specs in the form of another tool into a directory. What that tool cannot do is told with its place. \
      The kinds are \(ExportKind.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")). Secrets are never \
      written: the exported project reads them from the environment.
      """,
    arguments: ArgumentsSpec("KIND FILE-OR-DIRECTORY…", count: 2...Int.max),
    options: ReqrunOptions.options(of: "export"),
    examples: [.init("reqrun export locust tests -o load", "Make users for Locust, which play the specs")])

  private static let show = CommandSpec(
    "show", summary: "Print a run again, from its JSON report",
    description: """
      Prints what the run printed, from the report that --report json wrote: more with -v and -vv, less with -q. With \
      --report it writes the report in other forms. The exit status is that of the run; 5 if the report cannot be read.
      """,
    arguments: ArgumentsSpec("REPORT", count: 1...1), options: ReqrunOptions.options(of: "show"),
    examples: [
      .init("reqrun show report.json", "Print a run again"),
      .init("reqrun show -vv report.json", "See what was sent and received"),
      .init("reqrun show -q --report junit=report.xml report.json", "Write the report in another form"),
    ])

  private static let mergeReports = CommandSpec(
    "merge-reports", summary: "Make one run of several, from their JSON reports",
    description: """
      Prints the reports of all shards, or of runs of different files, as one run would have printed them, and writes its \
      reports. A file that others need, which ran in several shards, counts once. The exit status is that which the one run \
      would have had; 2 if the report of a shard is missing, 5 if the reports cannot be read or are not of one run.
      """,
    arguments: ArgumentsSpec("REPORT…", count: 1...Int.max), options: ReqrunOptions.options(of: "merge-reports"),
    examples: [
      .init("reqrun merge-reports report-*.json", "Print all shards as one run"),
      .init(
        "reqrun merge-reports report-*.json --report junit=report.xml --report json=report.json",
        "Write the reports of the whole run"),
    ])

  private static let diff = CommandSpec(
    "diff", summary: "Compare two runs by their JSON reports",
    description: """
      Prints what is different in the later run: requests that fail now, that are fixed, slower, new or gone, and responses \
      of another JSON structure, status or content type. Requests are the same if their file, the names of the flows and \
      rows around them, and their own names are, or else their lines; several of one name are told apart by their order. \
      Responses of which a report has only the beginning are not compared.
      """,
    arguments: ArgumentsSpec("OLD-REPORT NEW-REPORT", count: 2...2), options: ReqrunOptions.options(of: "diff"),
    examples: [
      .init("reqrun diff old.json new.json", "Tell what is different"),
      .init("reqrun diff --fail-on failing,gone,slower --slower 3x old.json new.json", "Fail a job for what is worse"),
    ])

  private static let demo = CommandSpec(
    "demo", summary: "Start the demo server and keep it running",
    description: """
      Serves most endpoints of httpbin and a small API with logins, pages and failures to order, on this machine only, \
      until it is interrupted. It prints its address; GET / lists the endpoints.
      """,
    arguments: .none, options: ReqrunOptions.options(of: "demo"),
    examples: [.init("reqrun demo --port 8080", "Serve on a known port")])

  private static let completions = CommandSpec(
    "completions", summary: "Print the completion script for a shell",
    description: "Prints a script that completes reqrun's words, options and values in bash, zsh or fish.",
    arguments: ArgumentsSpec("bash|zsh|fish", count: 1...1, choices: CompletionShell.allCases.map(\.rawValue)),
    examples: [
      .init("source <(reqrun completions bash)", "Complete in this bash"),
      .init("reqrun completions fish > ~/.config/fish/completions/reqrun.fish", "Install for fish"),
    ])

  private static let doctor = CommandSpec(
    "doctor", summary: "Look at the installation, and say what is missing for what",
    description: """
      Prints the versions of the libraries in use, the features of libcurl, the URLSession worker, the trusted issuers of \
      certificates, the proxies of the environment and the locale, each with what is missing without it. The exit status \
      is 1 if nothing can be sent.
      """,
    arguments: .none,
    examples: [.init("reqrun doctor", "See which libcurl is used, and what it can do")])

  private static let schema = CommandSpec(
    "schema", summary: "Print the JSON Schema of the format, or of a JSON report",
    description: """
      Prints the JSON Schema (draft-07) of request files and of the project file, by which editors complete keys, \
      show what they mean and mark what is wrong; or that of the document that --report json writes, or of a line that \
      --report jsonl writes.
      """,
    arguments: ArgumentsSpec("[report|events]", count: 0...1, choices: ["report", "events"]),
    examples: [
      .init("reqrun schema > reqrun.schema.json", "Make it ready for an editor"),
      .init("reqrun schema report > report.schema.json", "Describe the JSON report"),
    ])

  private static let man = CommandSpec(
    "man", summary: "Print the manual page",
    description:
      "Prints the manual page in mdoc(7), or that of the format of request files, for man to show or to install.",
    arguments: ArgumentsSpec("[format]", count: 0...1, choices: [formatTopic]),
    examples: [
      .init("reqrun man | man -l -", "Read the manual"),
      .init("reqrun man > ~/.local/share/man/man1/reqrun.1", "Install it for man reqrun"),
      .init("reqrun man format > ~/.local/share/man/man5/reqrun-format.5", "Install that of the format"),
    ])

  private static let help = CommandSpec(
    "help", summary: "Tell about reqrun, one of its words, or the format; show a page of the documentation",
    description: """
      Prints the overview, all about a word, what a section or a key of the format means, or a page of the documentation.
      """,
    arguments: ArgumentsSpec("[WORD|SECTION|KEY|TOPIC]", count: 0...1),
    examples: [
      .init("reqrun help tour", "Read the format by example"),
      .init("reqrun help check", "Tell about a word"),
      .init("reqrun help format", "Tell how request files are written"),
      .init("reqrun help expect", "Tell what can be expected of responses"),
    ])

  private static let candidates = CommandSpec(
    candidatesWord, summary: "List what completion scripts offer",
    description: "Lists the tags or the names of the requests in files, or their environments, one a line.",
    arguments: ArgumentsSpec("tags|names|environments FILE-OR-DIRECTORY…", count: 2...Int.max), isHidden: true)
}
