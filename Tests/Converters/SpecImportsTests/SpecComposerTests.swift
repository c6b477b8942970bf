import SpecImports
import TestSupport
import Testing

/// The specs that an imported collection becomes.
struct SpecComposerTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let collection: ImportedCollection
    let files: [String: String]

    init(_ name: String, files: [String: String], _ build: (inout ImportedCollection) -> Void) {
      self.name = name
      self.files = files
      var collection = ImportedCollection()
      build(&collection)
      self.collection = collection
    }

    var testDescription: String { name }
  }

  @Test(arguments: cases) func composes(_ testCase: Case) {
    let composed = composedImport(testCase.collection)
    let texts = Dictionary(
      composed.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }, uniquingKeysWith: { $1 })
    #expect(texts.keys.sorted() == testCase.files.keys.sorted())
    for (path, text) in testCase.files { #expect(texts[path] == text, "\(path)") }
  }

  static let cases = [
    Case(
      "one request",
      files: [
        "users.yaml": """
        requests:
          - url: https://api.example/users
            expect:
              status: 200

        """
      ]
    ) { collection in
      collection.files = [
        file("Users") { file in
          var request = ImportedRequest(url: ImportedText("https://api.example/users"))
          request.expect.set("status", .integer(200))
          file.requests = [request]
        }
      ]
    },
    Case(
      "a text that ends with a blank line ends with one blank line",
      files: [
        "users.yaml": """
        requests:
          - method: PUT
            url: https://a.example/1
            body: |+
              end

          - url: https://b.example/2

        """
      ]
    ) { collection in
      collection.files = [
        file("Users") { file in
          var request = ImportedRequest(url: ImportedText("https://a.example/1"))
          request.method = ImportedText("PUT")
          request.body = .text(ImportedText("end\n\n"))
          file.requests = [request, ImportedRequest(url: ImportedText("https://b.example/2"))]
        }
      ]
    },
    Case(
      "credentials in clear become secrets, shared ones stand in defaults",
      files: [
        "users.yaml": """
        secrets:
          - TOKEN
          - PASSWORD
        defaults:
          base_url: https://api.example
          headers:
            Accept: application/json
          auth:
            bearer: ${{ TOKEN }}
        requests:
          - url: /users

          # Logs in.
          - url: /login
            json:
              name: ann
              password: ${{ PASSWORD }}

        """
      ]
    ) { collection in
      collection.files = [
        file("users") { file in
          var list = ImportedRequest(url: ImportedText("https://api.example/users"))
          list.headers = [header("Accept", "application/json"), header("Authorization", "Bearer abc.def")]
          var login = ImportedRequest(url: ImportedText("https://api.example/login"))
          login.headers = [header("Authorization", "Bearer abc.def"), header("Accept", "application/json")]
          login.comments = ["Logs in."]
          login.body = .json(ImportedText(#"{"name": "ann", "password": "sesame"}"#))
          file.requests = [list, login]
        }
      ]
    },
    Case(
      "the only file is the collection; what most requests have is a default, but the types of bodies",
      files: [
        "users.yaml": """
        # not translated (scripts): login()

        name: Shop
        defaults:
          base_url: https://api.example
          redirects: none
        requests:
          - url: /users
            json:
              id: 1

          - url: /users
            json:
              id: 2

          - url: /users
            json:
              id: 3
            redirects: follow

        """
      ]
    ) { collection in
      collection.name = "Shop"
      collection.untranslated = [Untranslated(reason: "scripts", source: "login()")]
      collection.files = [
        file("users") { file in
          for (id, redirects) in [(1, "none"), (2, "none"), (3, "follow")] {
            var request = ImportedRequest(url: ImportedText("https://api.example/users"))
            request.headers = [header("Content-Type", "application/json")]
            request.body = .json(ImportedText(#"{"id": \#(id)}"#))
            request.settings = [(.redirects, .text(redirects))]
            file.requests.append(request)
          }
        }
      ]
    },
    Case(
      "a capture of an earlier file is that of a need, an unknown variable is read from the environment",
      files: [
        "reqrun.yaml": """
        name: Shop
        variables:
          host: shop.example
        defaults:
          base_url: https://${{ host }}

        """,
        "auth/log-in.yaml": """
        requests:
          - url: /login
            capture:
              access_token:
                json: $.token

        """,
        "orders.yaml": """
        needs:
          log_in: auth/log-in.yaml
        variables:
          order: ${{ env.order }}
        requests:
          # not translated (scripts): pm.sendRequest()
          - method: DELETE
            url: /orders/${{ order }}
            headers:
              X-Access: ${{ log_in.access_token }}

        """,
      ]
    ) { collection in
      collection.name = "Shop"
      collection.variables = [ImportedVariable(name: "host", value: .text("shop.example"))]
      collection.files = [
        file("Auth", "Log in!") { file in
          var request = ImportedRequest(url: placeholders("https://{{host}}/login"))
          request.captures.set("access-token", .mapping([("json", .text("$.token"))]))
          file.requests = [request]
        },
        file("Orders") { file in
          var request = ImportedRequest(url: placeholders("https://{{host}}/orders/{{order}}"))
          request.method = ImportedText("DELETE")
          request.headers = [.init(name: ImportedText("X-Access"), value: placeholders("{{access-token}}"))]
          request.remark("scripts", "pm.sendRequest()")
          file.requests = [request]
        },
      ]
    },
    Case(
      "placeholders in JSON keep types",
      files: [
        "a.yaml": """
        variables:
          name: Ann
          count: "3"
        requests:
          - url: http://a/1
            capture:
              id:
                json: $.id

          - url: http://a/2
            json:
              name: ${{ name }}
              count: ${{ from_json(count) }}
              id: ${{ id }}
              text: ${{ to_string(id) }}
              more: id ${{ id }}
              big: 12345678901234567890

        """
        .replacing("http://a/1", with: "/1").replacing("http://a/2", with: "/2")
        .replacing("requests:", with: "defaults:\n  base_url: http://a\nrequests:")
      ]
    ) { collection in
      collection.files = [
        file("a") { file in
          file.variables = [
            ImportedVariable(name: "name", value: .text("Ann")), ImportedVariable(name: "count", value: .text("3")),
          ]
          var first = ImportedRequest(url: ImportedText("http://a/1"))
          first.captures.set("id", .mapping([("json", .text("$.id"))]))
          var second = ImportedRequest(url: ImportedText("http://a/2"))
          second.body = .json(
            placeholders(
              #"{"name": "{{name}}", "count": {{count}}, "id": {{id}}, "text": "{{id}}", "more": "id {{id}}", "#
                + #""big": 12345678901234567890}"#))
          file.requests = [first, second]
        }
      ]
    },
    Case(
      "environments, with secrets by name",
      files: [
        "reqrun.yaml": """
        environments:
          dev:
            variables:
              host: http://localhost
          live:
            variables:
              host: https://live
            secrets:
              - api_key
        default_environment: dev

        """,
        "a.yaml": """
        variables:
          path: ${{ env.path }}
        requests:
          - url: ${{ host }}/${{ path }}

        """,
      ]
    ) { collection in
      collection.environments = [
        ImportedEnvironment(
          name: "dev", variables: [ImportedVariable(name: "host", value: .text("http://localhost"))]),
        ImportedEnvironment(
          name: "live",
          variables: [
            ImportedVariable(name: "host", value: .text("https://live")),
            ImportedVariable(name: "api_key", value: .text("k-123456")),
          ]),
      ]
      collection.files = [
        file("a") { $0.requests = [ImportedRequest(url: placeholders("{{host}}/{{path}}"))] }
      ]
    },
    Case(
      "a request that no spec can say becomes a comment; what looks like a template is text",
      files: [
        "a.yaml": """
        requests:
          # not translated (requests that are not valid):
          #   "A B" is not a method
          #   method: A B
          #   url: http://a/1

          - url: http://b/2
            body: $${{ x }}

        # not translated (requests that are not valid):
        #   CONNECT opens a tunnel and can't be sent as a request
        #   method: CONNECT
        #   url: http://c/3

        """
      ]
    ) { collection in
      collection.files = [
        file("a") { file in
          var tunnel = ImportedRequest(url: ImportedText("http://c/3"))
          tunnel.method = ImportedText("CONNECT")
          var bad = ImportedRequest(url: ImportedText("http://a/1"))
          bad.method = ImportedText("A B")
          var good = ImportedRequest(url: ImportedText("http://b/2"))
          good.body = .text(ImportedText("${{ x }}"))
          file.requests = [bad, good, tunnel]
        }
      ]
    },
  ]

  /// One that is invalid costs no further check of all others.
  @Test func findsAnInvalidRequestAmongMany() throws {
    let growth = growth(to: 400) { count in
      var collection = ImportedCollection()
      collection.files = [
        Self.file("a") { file in
          for number in 0..<count {
            file.variables.append(ImportedVariable(name: "v\(number)", value: .text("x")))
            file.requests.append(ImportedRequest(url: Self.placeholders("http://a.example/{{v\(number)}}")))
          }
          file.requests[count / 2].method = ImportedText("A B")
        }
      ]
      let composed = composedImport(collection)
      #expect(composed.requests == count - 1 && composed.untranslated.map(\.reason) == ["requests that are not valid"])
    }
    #expect(growth < 1.5)
  }

  private static func file(_ path: String..., build: (inout ImportedFile) -> Void) -> ImportedFile {
    var file = ImportedFile(path: path)
    build(&file)
    return file
  }

  private static func header(_ name: String, _ value: String) -> ImportedRequest.Header {
    .init(name: ImportedText(name), value: ImportedText(value))
  }

  private static func placeholders(_ text: String) -> ImportedText {
    ImportedText(placeholdersIn: text) { .variable($0) }
  }
}
