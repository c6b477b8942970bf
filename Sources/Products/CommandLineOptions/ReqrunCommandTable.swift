import ReqrunKit

extension CommandTable {
  /// The command line of reqrun.
  package static let reqrun = CommandTable(
    program: "reqrun", version: Runner.version,
    summary: "runs HTTP requests that YAML files describe, and checks the responses",
    commands: CommandName.allCases.map(\.spec),
    defaultCommand: .run,
    globalOptions: ReqrunOptions.global,
    plannedCommands: ["mock"],
    exitStatuses: [
      ("0", "All requests passed"),
      ("1", "An expectation failed, the run took too long, a file is not formatted, or reports differ"),
      ("2", "The command line or a request file is wrong"),
      ("3", "Only the network failed: name lookup, connection, TLS or a timeout"),
      ("4", "Nothing was selected"),
      ("5", "A report or the output could not be written, or a report could not be read"),
      ("130", "Interrupted; 143 by SIGTERM, 129 by SIGHUP"),
    ])
}

extension CommandSpec {
  private static let files = ArgumentsSpec("FILE-OR-DIRECTORY…", count: 1...Int.max)

  /// Those of commands that can take the files of an earlier run.
  private static let filesOrReport = ArgumentsSpec(files.usage, count: files.count, or: "rerun-failed")

  static let run = CommandSpec(
    .run, summary: "Send the requests of files and check the responses",
    description: """
      Files run in parallel, the requests of a file in order, and the results are printed in the order of the \
      arguments. A directory stands for all .yaml and .yml files below it, FILE:LINE for the request in that line, - \
      for a file on standard input. A selected request includes the earlier ones whose captures it uses. The name run \
      may be left out.
      """,
    arguments: filesOrReport,
    examples: [
      ("reqrun users.yaml", "Run a file"),
      ("reqrun --demo Examples", "Try the examples against the demo server"),
      (
        "reqrun --tags smoke --report junit=report.xml tests", "Run requests tagged smoke, and write a report for CI"
      ),
      ("reqrun --var host=localhost --var retries:=3 users.yaml", "Set a text and a number"),
      ("reqrun --watch --demo Examples", "Rerun what a change affects whenever a file is saved"),
      ("reqrun --dry-run --curl users.yaml:12", "Show one request as a curl command, and send nothing"),
    ])

  static let send = CommandSpec(
    .send, summary: "Send one request, and print the response",
    description: """
      The items are headers (Name:value, Name: for none, Name; for an empty one), the query (name==value), and the \
      fields of the body (name=text, name:=json, also nested: user[tags][]=x). With @ the value is in a file: \
      Name:@file, name==@file, name=@file, name:=@file; name@file sends a file as a part of a form, @file a whole \
      body. A backslash takes the meaning of such a sign away. The method is GET by default, or POST with a body. A \
      URL without a scheme is https, or http on this machine; :8080/x is localhost, /x goes after the base_url of the \
      project. Templates, such as ${{ uuid }}, are allowed in all of it.
      """,
    arguments: ArgumentsSpec("[METHOD] URL [ITEM…]", count: 1...Int.max),
    foreignOptions: ReqrunOptions.foreignToSend,
    examples: [
      ("reqrun send example.org/users", "Get a page"),
      ("reqrun send :8080/users name=Ann age:=29", "Post JSON to this machine"),
      ("reqrun send PUT example.org/users/7 -a basic:ann X-Trace:1 active:=true", "Ask for the password"),
      ("reqrun send -f example.org/upload title=Sea photo@sea.png", "Upload a file"),
      ("reqrun send example.org/users --query '$[*].name'", "Print names only"),
      ("reqrun send example.org/users --save users.yaml --expect", "Make a test of it"),
      ("reqrun send -v example.org/users < users.json", "Send standard input, and see both sides"),
    ])

  static let initialization = CommandSpec(
    .`init`, summary: "Write a collection to start from",
    description: """
      Writes a collection into a directory, the working directory by default: a project file with environments, a \
      smoke test, a flow with a login, and the schema for editors. Its specs pass against the demo server at once. If \
      one of the files exists, none is written.
      """,
    arguments: ArgumentsSpec("[DIRECTORY]", count: 0...1),
    examples: [("reqrun init my-api", "Start a collection, which `reqrun my-api` runs")])

  static let check = CommandSpec(
    .check, summary: "Report errors in files without sending anything",
    description: """
      Reads the files as run does and reports every error and warning with its place. Nothing is sent. The exit status \
      is 2 if there are errors.
      """,
    arguments: files,
    examples: [("reqrun check tests", "Check all files of a directory")])

  static let list = CommandSpec(
    .list, summary: "List the requests of files, with their tags and places",
    description: "Prints a line for each request that run would send, in its order. Nothing is sent.",
    arguments: filesOrReport,
    examples: [
      ("reqrun list --tags smoke tests", "List what a selection contains"),
      (
        "reqrun list --variables --env staging tests", "List the variables of an environment, and where each is set"
      ),
    ])

  static let format = CommandSpec(
    .format, summary: "Format files in place",
    description: """
      Writes YAML files in one style: two spaces per level, quotes only where needed, a blank line between requests. \
      Comments, line breaks, the order of keys and the meaning of the file stay. It prints the names of the changed \
      files. A directory stands for the specs and project files below it; - formats standard input to standard output.
      """,
    arguments: files,
    examples: [
      ("reqrun format tests", "Format all specs of a directory"),
      ("reqrun format --check tests", "List unformatted files, with exit status 1 if there are any"),
    ])

  static let importing = CommandSpec(
    .import, summary: "Convert files of other tools to specs",
    description: """
      Converts files of other tools to specs as a person would write them. It prints a single spec, or writes all of \
      them into the directory of -o. The kinds are \
      \(ImportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", ")); without KIND it is \
      detected from the first file. Nothing in the files is executed. What specs cannot say stays as a comment at its \
      place. Passwords and tokens are not written: the specs read them from the environment.
      """,
    arguments: ArgumentsSpec("[KIND] FILE-OR-DIRECTORY…", count: 1...Int.max),
    examples: [
      ("reqrun import curl commands.sh", "Print a spec that sends what the commands send"),
      ("reqrun import curl - < copied.txt > request.yaml", "Convert what a browser copied as cURL"),
      ("reqrun import collection.json -o specs", "Convert a collection, whose kind is detected"),
    ])

  static let export = CommandSpec(
    .export, summary: "Convert specs to the format of another tool",
    description: """
      Writes the specs in the format of another tool into a directory. What that tool cannot do is reported with its \
      place. The kinds are \(ExportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", ")). \
      Secrets are never written: the exported project reads them from the environment.
      """,
    arguments: ArgumentsSpec("KIND FILE-OR-DIRECTORY…", count: 2...Int.max),
    examples: [("reqrun export locust tests -o load", "Write a Locust project whose users play the specs")])

  static let show = CommandSpec(
    .show, summary: "Print a run again, from its JSON report",
    description: """
      Prints what the run printed, from the report that --report json wrote: more with -v and -vv, less with -q. With \
      --report it writes the report in other formats. The exit status is that of the run; 5 if the report cannot be \
      read.
      """,
    arguments: ArgumentsSpec("REPORT", count: 1...1),
    examples: [
      ("reqrun show report.json", "Print a run again"),
      ("reqrun show -vv report.json", "See what was sent and received"),
      ("reqrun show -q --report junit=report.xml report.json", "Write the report in another format"),
    ])

  static let mergeReports = CommandSpec(
    .mergeReports, summary: "Merge the JSON reports of several runs into one",
    description: """
      Prints the reports of all shards, or of runs of different files, as one run would have printed them, and writes \
      its reports. A file that others need, which ran in several shards, counts once. The exit status is that which \
      the one run would have had; 2 if the report of a shard is missing, 5 if the reports cannot be read or are not of \
      one run.
      """,
    arguments: ArgumentsSpec("REPORT…", count: 1...Int.max),
    examples: [
      ("reqrun merge-reports report-*.json", "Print all shards as one run"),
      (
        "reqrun merge-reports report-*.json --report junit=report.xml --report json=report.json",
        "Write the reports of the whole run"
      ),
    ])

  static let diff = CommandSpec(
    .diff, summary: "Compare two runs by their JSON reports",
    description: """
      Prints the differences of the later run: requests that fail now, that are fixed, slower, new or gone, and \
      responses of another JSON structure, status or content type. Requests are the same if their file, the names of \
      the flows and rows around them, and their own names are equal, or else their lines; several with one name are \
      matched in order. Responses that a report has truncated are not compared.
      """,
    arguments: ArgumentsSpec("OLD-REPORT NEW-REPORT", count: 2...2),
    examples: [
      ("reqrun diff old.json new.json", "Show the differences"),
      ("reqrun diff --fail-on failing,gone,slower --slower 3x old.json new.json", "Fail a job on regressions"),
    ])

  static let demo = CommandSpec(
    .demo, summary: "Start the demo server and keep it running",
    description: """
      Serves most endpoints of httpbin and a small API with logins, pages and failures to order, on this machine only, \
      until it is interrupted. It prints its address; GET / lists the endpoints.
      """,
    arguments: .none,
    examples: [("reqrun demo --port 8080", "Serve on a known port")])

  static let completions = CommandSpec(
    .completions, summary: "Print the completion script for a shell",
    description: "Prints a script that completes reqrun's commands, options and values in bash, zsh or fish.",
    arguments: ArgumentsSpec("bash|zsh|fish", count: 1...1, choices: CompletionShell.allCases.map(\.rawValue)),
    examples: [
      ("source <(reqrun completions bash)", "Complete in this bash"),
      ("reqrun completions fish > ~/.config/fish/completions/reqrun.fish", "Install for fish"),
    ])

  static let doctor = CommandSpec(
    .doctor, summary: "Check the installation and report what is missing",
    description: """
      Prints the versions of the libraries in use, the features of libcurl, the URLSession worker, the trusted \
      certificate issuers, the proxies from the environment and the locale, and what each missing one disables. The \
      exit status is 1 if nothing can be sent.
      """,
    arguments: .none,
    examples: [("reqrun doctor", "See which libcurl is used, and what it can do")])

  static let schema = CommandSpec(
    .schema, summary: "Print the JSON Schema of the format, or of a JSON report",
    description: """
      Prints the JSON Schema (draft-07) of request files and of the project file, with which editors complete keys, \
      explain them and mark errors; or that of the document that --report json writes, or of a line that --report \
      jsonl writes.
      """,
    arguments: ArgumentsSpec("[report|events]", count: 0...1, choices: ["report", "events"]),
    examples: [
      ("reqrun schema > reqrun.schema.json", "Write it for an editor"),
      ("reqrun schema report > report.schema.json", "Describe the JSON report"),
    ])

  static let man = CommandSpec(
    .man, summary: "Print the manual page",
    description:
      "Prints the manual page in mdoc(7), or that of the format of request files, for man to show or to install.",
    arguments: ArgumentsSpec("[format]", count: 0...1, choices: [formatTopic]),
    examples: [
      ("reqrun man | man -l -", "Read the manual"),
      ("reqrun man > ~/.local/share/man/man1/reqrun.1", "Install it for man reqrun"),
      ("reqrun man format > ~/.local/share/man/man5/reqrun-format.5", "Install that of the format"),
    ])

  static let help = CommandSpec(
    .help, summary: "Show help for reqrun, a command or the format, or a page of the documentation",
    description: """
      Prints the overview, all about a command, what a section or a key of the format means, or a page of the \
      documentation.
      """,
    arguments: ArgumentsSpec("[COMMAND|SECTION|KEY|TOPIC]", count: 0...1),
    examples: [
      ("reqrun help tour", "Read the format by example"),
      ("reqrun help check", "Show help for a command"),
      ("reqrun help format", "Read how request files are written"),
      ("reqrun help expect", "Read what can be asserted about responses"),
    ])

  static let candidates = CommandSpec(
    .candidates, summary: "List what completion scripts offer",
    description: "Lists the tags or the names of the requests in files, or their environments, one a line.",
    arguments: ArgumentsSpec("tags|names|environments FILE-OR-DIRECTORY…", count: 2...Int.max), isHidden: true)
}
