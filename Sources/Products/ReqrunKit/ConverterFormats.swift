/// A tool whose files `reqrun import` reads; without a name, the first that recognizes a file does.
package enum ImportFormat: String, CaseIterable, Sendable {
  case curl, har, postman, insomnia, openapi, http, hurl, bruno

  /// One line for help.
  package var summary: String {
    switch self {
    case .curl: "command lines of curl, also several in a script, from bash, zsh or cmd"
    case .har: "HTTP archives (HAR 1.2), as browsers, proxies and reqrun write them"
    case .postman: "collections of Postman (v2.0, v2.1), with environments and globals"
    case .insomnia: "exports of Insomnia (v4, v5), with environments"
    case .openapi: "OpenAPI 3.0 and 3.1 documents, in JSON or YAML"
    case .http: "files of REST Client, JetBrains' HTTP Client and httpyac, with their environments"
    case .hurl: "files of Hurl"
    case .bruno: "collections of Bruno"
    }
  }

  /// The format of files with an extension that no other has.
  package init?(fileExtension: some StringProtocol) {
    switch fileExtension.lowercased() {
    case "bash", "bat", "cmd", "curl", "sh", "zsh": self = .curl
    case "har": self = .har
    case "http", "rest": self = .http
    case "hurl": self = .hurl
    case "bru": self = .bruno
    default: return nil
    }
  }

  /// A file of it, for messages.
  package var file: String {
    switch self {
    case .curl: "a script"
    case .har: "an HTTP archive"
    case .postman: "a document of Postman"
    case .insomnia: "an export of Insomnia"
    case .openapi: "an OpenAPI document"
    case .http: "a file of REST Client, JetBrains or httpyac"
    case .hurl: "a file of Hurl"
    case .bruno: "a file of Bruno"
    }
  }
}

/// A tool for which `reqrun export` writes files.
package enum ExportFormat: String, CaseIterable, Sendable {
  case locust, curl, hurl, http, postman, har, openapi

  /// One line for help.
  package var summary: String {
    switch self {
    case .locust: "a Locust project, whose users play the specs as load"
    case .curl: "bash scripts that send the requests by curl"
    case .hurl: "files for Hurl, with captures and asserts"
    case .http: "files for JetBrains' HTTP client and httpYac"
    case .postman: "a collection for Postman, v2.1, with an environment for its secrets"
    case .har: "HTTP archives of requests without responses"
    case .openapi: "an OpenAPI document of the operations that the specs exercise"
    }
  }
}
