import Values
import SpecExecution

/// The result of writing a collection to start from.
public struct StartedCollection: Sendable {
  /// The paths of the files that were written.
  public let files: [String]
  /// Files that exist already, or that cannot be written.
  public let diagnostics: [Diagnostic]
  /// The exit code: 0, 5 a file exists already or cannot be written.
  public var exitCode: Int32 { diagnostics.isEmpty ? 0 : 5 }
  /// The files and the next steps, as the command prints them.
  public let text: String
}

extension Runner {
  /// Writes a collection to start from, whose specs pass against the demo server.
  ///
  /// - Parameters:
  ///   - directory: the directory for the files, created if it doesn't exist.
  ///   - replaces: whether files that exist are replaced; otherwise none is written if one exists.
  public static func startCollection(in directory: String, replaces: Bool = false) -> StartedCollection {
    let schema = (path: "reqrun.schema.json", purpose: "what editors complete and check", text: formatSchema)
    let files = StarterCollection.files + [schema]
    let written = writeFiles(files.map { ($0.path, Array($0.text.utf8)) }, to: directory, replaces: replaces)
    if let problem = written.problem {
      return StartedCollection(files: written.paths, diagnostics: [problem], text: "")
    }
    let place = quotedForShell(directory.isEmpty ? "." : directory)
    let steps = [
      ("reqrun \(place)", "runs it against the demo server"),
      ("edit \(written.paths.first ?? "")", "for the address of your API, under staging"),
      ("reqrun --env staging \(place)", "runs it there; change the specs to what your API responds"),
    ]
    let text =
      aligned(zip(written.paths, files).map { ($0, $1.purpose) }, "") + "\nnext:\n" + aligned(steps, "  ")
    return StartedCollection(
      files: written.paths, diagnostics: [],
      text: withoutWorkflowCommands(sanitizedForTerminal(text, keepingLineBreaks: true)))
  }

  private static func aligned(_ rows: [(String, String)], _ indentation: String) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { indentation + $0 + String(repeating: " ", count: width - $0.count) + $1 + "\n" }.joined()
  }
}

/// The files of a collection to start from.
private enum StarterCollection {
  static let files: [(path: String, purpose: String, text: String)] = [
    ("reqrun.yaml", "the project: environments, and what all specs share", project),
    ("smoke.yaml", "a test that is fast and changes nothing", smoke),
    ("flows/users.yaml", "a flow: independent tests with a login, captures and a teardown", users),
    ("_shared/login.yaml", "the login that the flow needs", login),
    ("env/.gitignore", "keeps private values out of the repository", ignored),
  ]

  private static let project = """
    # yaml-language-server: $schema=reqrun.schema.json
    # What all specs below this directory share. `reqrun help environments` and `reqrun help KEY` say more.
    demo: true                              # starts the demo server; remove it together with the environment demo
    environments:
      demo:
        variables: {api: "${{ demo }}/api"}
        secrets: {password: secret-password}
      staging:
        variables: {api: https://staging.example.com/api}
        secrets: {password: "${{ env.STAGING_PASSWORD }}"}      # or in env/staging.private.yaml, which git ignores
      production:
        variables: {api: https://example.com/api}
        secrets: {password: "${{ env.PRODUCTION_PASSWORD }}"}
    default_environment: demo               # another one: reqrun --env staging
    variables:
      username: ann
    defaults:
      base_url: ${{ api }}
      timeout: 10s
      headers: {Accept: application/json}

    """

  private static let smoke = """
    # yaml-language-server: $schema=reqrun.schema.json
    # Fast, and changes nothing, so that it may run against production: reqrun --tags smoke --env production
    name: Smoke
    tags: [smoke]
    requests:
      - name: the API responds
        url: /products
        query: {limit: 2}
        expect:
          status: 200
          duration: {less_than: 2s}
          json:
            $.items: {count: 2}
            $.items[*].price: {every: {greater_than: 0}}

      - name: a wrong password is rejected
        url: /login
        json: {username: "${{ username }}", password: wrong}
        expect: {status: 401}

    """

  private static let users = """
    # yaml-language-server: $schema=../reqrun.schema.json
    # Flows are independent tests: each has its own captures and its own teardown, which always runs.
    name: Users
    needs: [../_shared/login.yaml]          # runs once, however many files need it
    defaults:
      auth: {bearer: "${{ token }}"}        # captured by the login
    flows:
      - name: a user is created and found
        variables: {email: "${{ uuid }}@example.com"}
        requests:
          - name: create
            url: /users
            json: {name: Freja Holm, email: "${{ email }}", role: editor}
            capture: {user: {header: Location, as: url}}
            expect: {status: 201}
          - name: find
            url: ${{ user }}
            expect:
              json:
                $: {includes: {name: Freja Holm, role: editor, email: "${{ email }}"}}
                $.id: {is: integer}
        teardown:
          - name: delete
            method: DELETE
            url: ${{ user }}

      - name: a user without a name is rejected
        requests:
          - name: create
            url: /users
            json: {email: "${{ uuid }}@example.com"}
            expect: {status: 422}

    """

  private static let login = """
    # yaml-language-server: $schema=../reqrun.schema.json
    # Directories pass over names that begin with `_`: this file runs where another needs or uses it.
    name: Login
    requests:
      - name: log in
        url: /login
        json: {username: "${{ username }}", password: "${{ password }}"}
        capture: {token: {json: $.access_token, secret: true}}

    """

  private static let ignored = """
    # Values for you alone, such as those of staging.private.yaml: they win over the environment's, and are all secrets.
    *.private.yaml

    """
}
