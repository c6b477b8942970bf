import SpecImports
import TestSupport
import Testing
import Values

/// The specs that files of Hurl become.
struct HurlImportTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let source: String
    let spec: String

    init(_ name: String, _ source: String, _ spec: String) {
      self.name = name
      self.source = source
      self.spec = spec
    }

    var testDescription: String { name }
  }

  @Test(arguments: cases) func composes(_ testCase: Case) throws {
    #expect(try Self.specs(["users.hurl": testCase.source])["users.yaml"] == testCase.spec)
  }

  /// The texts of the composed files by their paths.
  static func specs(_ sources: KeyValuePairs<String, String>) throws -> [String: String] {
    let result = try ImportedSources("hurl", sources.map { ($0.key, $0.value) })
    _ = try #require(result.collection)
    #expect(result.problems == [])
    return result.files
  }

  static let cases = [
    Case(
      "options that curl has, too",
      """
      GET https://api.example/
      [Options]
      cert: client.pem:s3cret-pass
      ipv6: true
      http1.1: false
      user: key:secret-key-1
      aws-sigv4: aws:amz:eu-central-1:s3

      """,
      """
      secrets:
        - AWS_ACCESS_KEY_ID
        - AWS_SECRET_ACCESS_KEY
        - PASSPHRASE
      requests:
        - url: https://api.example/
          auth:
            aws_sigv4:
              access_key: ${{ AWS_ACCESS_KEY_ID }}
              secret_key: ${{ AWS_SECRET_ACCESS_KEY }}
              region: eu-central-1
              service: s3
          redirects: none
          validate: none
          tls:
            cert: client.pem
            passphrase: ${{ PASSPHRASE }}
          ip_version: 6

      """),
    Case(
      "a capture of a part of the whole body, and of a whole subject as a secret",
      """
      GET https://api.example/
      HTTP 200
      [Captures]
      word: body regex /a (\\w+)/
      page: url redact
      size: bytes count

      """,
      """
      requests:
        - url: https://api.example/
          redirects: none
          expect:
            status: 200
          capture:
            word:
              body: true
              regex: 'a (\\w+)'
            page:
              url: true
              secret: true
            size: bytes

      """),
    Case(
      "captures are variables of later entries",
      """
      # Users of the shop

      # Logs in:
      POST https://api.example/login
      [Form]
      user: ann
      city: São Paulo # a comment
      HTTP 200
      [Captures]
      token: jsonpath "$.token" redact
      next: header "Location" regex /users\\/(\\d+)/ toInt
      first-name: jsonpath "$.name" split " " nth 0

      # Shows the user
      GET https://api.example/users/{{next}}
      Authorization: Bearer {{token}}
      [Query]
      tag: a
      tag: {{first-name}}
      [Options]
      location: true
      retry: 5
      retry-interval: 200ms
      delay: 3000
      HTTP/2 200
      """,
      """
      # Users of the shop

      defaults:
        base_url: https://api.example
      requests:
        - name: Logs in
          url: /login
          form:
            user: ann
            city: São Paulo
          redirects: none
          expect:
            status: 200
          capture:
            token:
              json: $.token
              secret: true
            next:
              header: Location
              regex: 'users/(\\d+)'
              as: integer
            name: $.name
            first_name:
              value: ${{ (name | split(' '))[0] }}

        - name: Shows the user
          url: /users/${{ next }}
          query:
            tag:
              - a
              - ${{ first_name }}
          auth:
            bearer: ${{ token }}
          redirects: follow
          delay: 3s
          poll:
            attempts: 6
            interval: 200ms
          expect:
            status: 200
            http_version: "2"

      """),
    Case(
      "assertions",
      #"""
      GET https://api.example/users
      HTTP *
      Content-Type: application/json
      Vary: Accept
      [Asserts]
      status < 300
      header "ETag" exists
      header "Vary" count == 2
      cookie "sid[HttpOnly]" exists
      cookie "sid[Max-Age]" >= 60
      jsonpath "$.name" == "Ann"
      jsonpath "$.name" startsWith "A"
      jsonpath "$.x-y" not exists
      jsonpath "$.roles" count > 1
      jsonpath "$.roles[*].id" includes 3
      jsonpath "$.roles[?(@.id==3)].name" == "admin"
      jsonpath "$.deleted" == null
      jsonpath "$.id" toInt == 5
      jsonpath "$.price" isFloat
      jsonpath "$.created" toDate "%Y-%m-%d" format "%d.%m.%Y" == "01.02.2024"
      jsonpath "$.a" matches /^\d+$/
      jsonpath "$.a" not contains "x"
      xpath "string(//bk:title)" == "Hello"
      regex "id=(\\d+)" == "7"
      bytes count == 120
      sha256 == hex,9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08;
      duration < 1000
      certificate "Expire-Date" daysAfterNow > 15
      ip isIpv4
      bytes startsWith hex,ff00;
      """#,
      #"""
      requests:
        # not translated (assertions): bytes startsWith hex,ff00;
        - url: https://api.example/users
          redirects: none
          expect:
            headers:
              Content-Type: application/json
              Vary:
                any: Accept
                count: 2
              ETag:
                exists: true
            status:
              less_than: 300
            cookies:
              sid:
                http_only: true
                max_age:
                  at_least: 60s
            json:
              $.name:
                equals: Ann
                starts_with: A
              $['x-y']:
                exists: false
              $.roles:
                count:
                  greater_than: 1
              $.roles[*].id:
                contains: 3
              $.roles[?(@.id==3)].name:
                - admin
              $.deleted:
                equals: null
              $.id:
                as: integer
                equals: 5
              $.price:
                is: number
                is_not: integer
              $.a:
                matches: '^\d+$'
                not_contains: x
            values:
              created | date('yyyy-MM-dd') | format('dd.MM.yyyy'): 01.02.2024
            xpath:
              string(//*[local-name()='title']): Hello
            body:
              regex: 'id=(\d+)'
              equals: "7"
            bytes:
              count: 120
              sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
            duration:
              less_than: 1s
            certificate:
              expires_in:
                greater_than: 15d
            remote_address:
              is: ipv4
          capture:
            created: $.created

      """#),
    Case(
      "bodies",
      #"""
      POST https://api.example/json
      {"id": {{id}}, "text": "a {{text}}\n", "list": [1.0, {"a": []}]}
      HTTP 201
      {"id": {{id}}}

      POST https://api.example/text
      ```
      one
      {{text}}
      ```

      POST https://api.example/graphql
      ```graphql
      query { user(id: $id) { name } }

      variables {
        "id": {{id}}
      }
      ```

      POST https://api.example/xml
      <?xml version="1.0"?>
      <a b=">"><!-- </a> --><c/>{{text}}</a>

      POST https://api.example/bytes
      base64,aGVs bG8;

      POST https://api.example/parts
      [Multipart]
      title: A # no part of it
      photo: file,a\ b.png; image/png
      """#,
      """
      variables:
        id: ${{ env.id }}
        text: ${{ env.text }}
      defaults:
        base_url: https://api.example
        redirects: none
      requests:
        - url: /json
          json:
            id: ${{ from_json(id) }}
            text: |
              a ${{ text }}
            list:
              - 1.0
              - a: []
          expect:
            status: 201
            json:
              $:
                equals:
                  id: ${{ from_json(id) }}

        - url: /text
          body: |
            one
            ${{ text }}
          validate: none

        - url: /graphql
          graphql:
            query: "query { user(id: $id) { name } }"
            variables:
              id: ${{ from_json(id) }}
          validate: none

        - url: /xml
          headers:
            Content-Type: application/xml
          body: |-
            <?xml version="1.0"?>
            <a b=">"><!-- </a> --><c/>{{text}}</a>
          validate: none

        - url: /bytes
          body:
            base64: aGVsbG8=
          validate: none

        - url: /parts
          multipart:
            title: A
            photo:
              file: a b.png
              type: image/png
          validate: none

      """),
    Case(
      "options, and variables that change",
      """
      GET https://{{host}}/a?q=\\#{{newUuid}}
      [Options]
      variable: host=api.example
      variable: count=1
      insecure: true
      user: ann:{{password}}
      digest: true
      resolve: api.example:443:127.0.0.1
      connect-timeout: 5
      max-time: 2m
      verbose: true
      location-trusted: true
      GET https://{{host}}/{{count}}
      [Options]
      variable: count=2
      skip: {{count}}
      """,
      """
      variables:
        host: api.example
      secrets:
        - password
      defaults:
        base_url: https://${{ host }}
        validate: none
      requests:
        # not translated (options): location-trusted: true
        - url: /a?q=#${{ uuid }}
          auth:
            digest:
              username: ann
              password: ${{ password }}
          timeout:
            connect: 5s
            resource: 2m
          redirects: follow
          tls:
            verify: false
          resolve:
            - api.example:443:127.0.0.1

        - variables:
            count: 2
          url: /${{ count }}
          redirects: none
          skip: ${{ count }}

      """),
  ]

  @Test func filesOfVariablesAreEnvironments() throws {
    let specs = try Self.specs([
      "tests/a.hurl": "GET {{host}}/a", "tests/b/c.hurl": "GET {{host}}/c\n\nGET {{host}}/{{id}}",
      "tests/local.env": "# here\nhost=http://localhost\nid=7\n",
      "tests/staging.env": "host = https://staging.example\n",
    ])
    #expect(specs.keys.sorted() == ["a.yaml", "b/c.yaml", "reqrun.yaml"])
    #expect(
      specs["reqrun.yaml"] == """
        defaults:
          base_url: ${{ host }}
          validate: none
          redirects: none
        environments:
          local:
            variables:
              host: http://localhost
              id: 7
          staging:
            variables:
              host: https://staging.example
        default_environment: local

        """)
  }

  @Test(arguments: [
    ("GET http://a\n```\nno end", "expected the end of the text that begins here"),
    ("GET http://a\n<a><b>", "expected the end of the XML that begins here"),
    ("hello", "expected a request, such as `GET https://example.org`"),
    ("HTTP 200", "expected a request, such as `GET https://example.org`"),
    ("GET http://a\nHTTP 200\nHTTP 200", "expected a request before another response"),
    ("GET http://a\n{\"a\": ", "expected the end of the JSON that begins here"),
    ("GET http://a\n\0\u{1}", "expected a request, such as `GET https://example.org`"),
  ])
  func tellsErrors(_ source: String, _ message: String) throws {
    let kind = ImportReader.hurl
    var bag = DiagnosticBag()
    _ = kind.read([ImportSource(path: "a.hurl", bytes: Array(source.utf8))], ImportSelection(), &bag)
    #expect(bag.diagnostics.map(\.message) == [message])
  }

  /// Deep and long sources are read in linear time.
  @Test(arguments: ["[", "{{", "<a>", "{\"a\":", "#\n", "a: {{x}}\n"])
  func readsHostileSources(_ piece: String) throws {
    let kind = ImportReader.hurl
    let growth = growth(to: 30_000) { count in
      var bag = DiagnosticBag()
      let text = "POST http://a\n" + String(repeating: piece, count: count)
      let collection = kind.read([ImportSource(path: "a.hurl", bytes: Array(text.utf8))], ImportSelection(), &bag)
      #expect(bag.hasErrors || collection?.files.first?.requests.count == 1)
    }
    #expect(growth < 1.5)
  }
}
