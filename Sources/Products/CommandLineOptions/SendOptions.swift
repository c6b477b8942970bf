extension ReqrunOptions {
  private static let content = "What is sent"
  private static let access = "Credentials"
  private static let printing = "What is printed"
  private static let storing = "Files"

  /// The options of `send` alone; those that it shares with others are in the table of all.
  static let ofSend: [OptionSpec] = [
    OptionSpec(
      "json", short: "j", group: content, of: [.send], readsEnvironment: false,
      help: "Send the fields as a JSON object, the default, and accept JSON"),
    OptionSpec(
      "form", short: "f", group: content, of: [.send], readsEnvironment: false, excludes: "json",
      help: "Send the fields as a form; as multipart if there is a file"),
    OptionSpec(
      "multipart", group: content, of: [.send], readsEnvironment: false, excludes: "json",
      help: "Send the fields as a multipart form"),
    OptionSpec(
      "raw", value: "TEXT", group: content, of: [.send], readsEnvironment: false, help: "Send this text as the body"),
    OptionSpec(
      "graphql", value: "QUERY", group: content, of: [.send], readsEnvironment: false,
      help: "Send this query, with the fields as its variables; @FILE reads it from a file"),
    OptionSpec(
      "compress", short: "x", isRepeatable: true, group: content, of: [.send], readsEnvironment: false,
      help: "Compress the body if that makes it smaller; given twice, in any case"),
    OptionSpec(
      "path-as-is", group: content, of: [.send], help: "Send . and .. in the path instead of resolving them"),
    OptionSpec(
      "ignore-stdin", short: "I", group: content, of: [.send],
      help: "Don't read the body from standard input if it is not a terminal"),
    OptionSpec(
      "auth", short: "a", value: "CREDENTIALS", group: access, of: [.send], readsEnvironment: false,
      help:
        "basic:USER:PASSWORD, digest:USER:PASSWORD, ntlm:USER:PASSWORD, bearer:TOKEN, or USER:PASSWORD; a missing password is asked for"
    ),
    OptionSpec(
      "auth-type", short: "A", value: "SCHEME", choices: ["basic", "digest", "ntlm", "bearer"], group: access,
      of: [.send], needs: "auth", help: "The scheme of --auth, which then omits it"),
    OptionSpec(
      "session", value: "NAME", group: access, of: [.send], excludes: "cookie-jar",
      help:
        "Keep cookies, headers and credentials for the next request to the host, in a file that only you can read; a name with a slash is its path"
    ),
    OptionSpec("follow", short: "F", group: "Redirects", of: [.send], help: "Follow redirects, the default"),
    OptionSpec(
      "no-follow", group: "Redirects", of: [.send], excludes: "follow", help: "Print a redirect instead of following it"
    ),
    OptionSpec(
      "max-redirects", value: "N", rule: .integer(1...1000), group: "Redirects", of: [.send], excludes: "no-follow",
      help: "Follow at most N redirects, 10 by default"),
    OptionSpec(
      "print", short: "p", value: "PARTS", group: printing, of: [.send],
      help:
        "Print these parts: H and B are head and body of the request, h and b of the response, m its times and sizes; hb is the default on a terminal, b elsewhere"
    ),
    OptionSpec("headers", short: "h", group: printing, of: [.send], help: "Print the head of the response only"),
    OptionSpec("body", short: "b", group: printing, of: [.send], help: "Print the body of the response only"),
    OptionSpec("meta", short: "m", group: printing, of: [.send], help: "Print times and sizes only"),
    OptionSpec(
      "all", group: printing, of: [.send],
      help: "Print redirects and challenges before the last response, too, as -v does"),
    OptionSpec(
      "pretty", value: "WHAT", choices: ["all", "colors", "format", "none"], group: printing, of: [.send],
      help: "Colour and indent what is printed; all is the default on a terminal, none elsewhere"),
    OptionSpec(
      "query", value: "PATH", group: printing, of: [.send], readsEnvironment: false,
      help: "Print what a JSONPath such as $.items[*].id selects in the body, or an XPath in XML and HTML, a line each"),
    OptionSpec(
      "stream", short: "S", group: printing, of: [.send], readsEnvironment: false, excludes: "query",
      help: "Print the response while it arrives, as server-sent events or lines of JSON"),
    OptionSpec("timing", group: printing, of: [.send], help: "Show how long each phase took"),
    OptionSpec(
      "offline", group: printing, of: [.send], readsEnvironment: false,
      help: "Print what would be sent, and send nothing"),
    OptionSpec(
      "check-status", group: printing, of: [.send], help: "Exit with 1 if the status is not 2xx"),
    OptionSpec(
      "output", short: "o", value: "FILE", suggestion: .files, group: storing, of: [.send], readsEnvironment: false,
      help: "Write to this file instead of standard output"),
    OptionSpec(
      "download", short: "d", group: storing, of: [.send], readsEnvironment: false,
      help:
        "Store the body in a file, named by the server or --output, with progress; a status other than 2xx is an error"
    ),
    OptionSpec(
      "continue", short: "c", group: storing, of: [.send], readsEnvironment: false, needs: "download",
      help: "Continue a partial download, the default"),
    OptionSpec(
      "save", value: "FILE", suggestion: .files, group: storing, of: [.send], readsEnvironment: false,
      help: "Add the request to a spec, created if it doesn't exist; secrets become variables"),
    OptionSpec(
      "name", value: "NAME", group: storing, of: [.send], readsEnvironment: false, needs: "save",
      help: "The name of the saved request"),
    OptionSpec(
      "expect", group: storing, of: [.send], readsEnvironment: false, needs: "save",
      help: "Let the saved request expect the status, the content type and the shape of the received body"),
  ]

  /// The options of HTTPie, xh and curl, long and short, that `send` has under another name, or as something else.
  static let foreignToSend: [String: String] = [
    "H": "write Name:value, such as X-A:b, without an option",
    "X": "write the method before the URL: reqrun send POST URL",
    "data": "write name=value for each field, or --raw TEXT for the whole body",
    "header": "write Name:value, such as X-A:b, without an option",
    "request": "write the method before the URL: reqrun send POST URL",
    "verify": "--insecure doesn't check certificates, --cacert FILE trusts other issuers",
    "cert-key": "write --key FILE",
    "cert-key-pass": "write --cert FILE:PASSPHRASE",
    "ssl": "write tls: {min_version: …} under defaults of the project file",
    "chunked": "a body's length is known, so it isn't sent in chunks",
    "response-charset": "the charset is that of the content type, or of the body itself",
    "response-mime": "--pretty format indents what is JSON",
    "boundary": "write 'Content-Type:multipart/form-data; boundary=…'",
    "default-scheme": "write the scheme in the URL",
    "https": "https is the default, but for hosts on this machine",
    "ignore-netrc": "a netrc file is only read if the project says so",
    "session-read-only": "--session NAME keeps what changes",
    "style": "--pretty and --color choose whether there are colours",
    "s": "only a terminal shows progress; --pretty and --color choose whether there are colours",
    "silent": "only a terminal shows progress",
    "u": "write --auth USER:PASSWORD, or -a USER:PASSWORD",
    "user": "write --auth USER:PASSWORD, or -a USER:PASSWORD",
    "L": "leave it out: redirects are followed; --no-follow prints them",
    "location": "leave it out: redirects are followed; --no-follow prints them",
    "i": "write --print hb for the head and the body of the response",
    "include": "write --print hb for the head and the body of the response",
    "G": "write name==value for each parameter of the query",
    "get": "write name==value for each parameter of the query",
    "data-raw": "write name=value for each field, or --raw TEXT for the whole body",
    "data-binary": "write --raw TEXT, or @FILE for a body in a file",
    "data-urlencode": "write --form, and name=value for each field",
    "cookie": "write Cookie:name=value, without an option",
    "compressed": "leave it out: responses are decompressed",
    "max-time": "write --timeout with a duration, such as --timeout 5s",
    "connect-timeout": "write --timeout with a duration, such as --timeout 5s",
    "user-agent": "write User-Agent:NAME, without an option",
    "referer": "write Referer:URL, without an option",
    "e": "write Referer:URL, without an option",
    "url": "write the URL without an option",
    "format-options": "--pretty says what is formatted; headers and members keep their order",
    "sorted": "headers and members keep their order",
    "unsorted": "headers and members keep their order, anyway",
    "ciphers": "ciphers are those of the TLS library",
    "max-headers": "the head of a response is limited by itself",
    "debug": "-vv prints times and sizes, and `reqrun doctor` the libraries",
    "traceback": "-vv prints times and sizes, and `reqrun doctor` the libraries",
    "manual": "`reqrun help send` lists the options, `reqrun man` prints the manual",
    "native-tls": "certificates are checked by the issuers of the system; --cacert FILE trusts others",
    "interface": "--ipv4 and --ipv6 choose the family of addresses",
    "history-print": "--all prints all exchanges, with the parts of --print",
    "P": "--all prints all exchanges, with the parts of --print",
    "bearer": "write --auth bearer:TOKEN",
    "no-verify": "write --insecure",
    "curl-long": "--curl has the long names of options",
    "dry-run": "write --offline",
  ]
}
