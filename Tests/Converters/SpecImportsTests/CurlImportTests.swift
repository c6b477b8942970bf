import SpecImports
import TestSupport
import Testing
import Values

/// The specs that command lines of curl become.
struct CurlImportTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let script: String
    let spec: String

    init(_ name: String, _ script: String, _ spec: String) {
      self.name = name
      self.script = script
      self.spec = spec
    }

    var testDescription: String { name }
  }

  @Test(arguments: cases) func imports(_ testCase: Case) throws {
    #expect(try composed(testCase.script, "curl") == testCase.spec)
  }

  static let cases = [
    Case(
      "a form, certain by its names; curl follows no redirects by itself",
      "curl https://a.example/x -d 'name=Ann+B&tag=%26' -d role=admin",
      """
      requests:
        - url: https://a.example/x
          form:
            name: Ann B
            tag: "&"
            role: admin
          redirects: none

      """),
    Case(
      "data that is not a form keeps the type that curl sends",
      "curl -L a.example -d '{\"a\": 1}'",
      """
      requests:
        - url: http://a.example
          headers:
            Content-Type: application/x-www-form-urlencoded
          json:
            a: 1

      """),
    Case(
      "JSON, by --json and by type; -X where it isn't the default",
      """
      curl -L --json '{"a": 1.0}' https://a.example/1
      curl -L -X PUT -H 'content-type: application/json; charset=utf-8' -d '[true]' https://a.example/2
      """,
      """
      defaults:
        base_url: https://a.example
      requests:
        - url: /1
          headers:
            Accept: application/json
          json:
            a: 1.0

        - method: PUT
          url: /2
          headers:
            content-type: application/json; charset=utf-8
          json:
            - true

      """),
    Case(
      "variables, captures by jq, comments, continuation, --next",
      #"""
      #!/bin/bash
      API=https://api.example
      TOKEN=$(curl -sL "$API/login" -d user=ann --data-urlencode "password=$PASSWORD" | jq -r '.data[0].token')
      # All orders
      curl -sL "${API}/orders" -H "Authorization: Bearer $TOKEN" \
        -G -d limit=10 --next -L "$API/orders?day=$(date +%F)" | jq .
      """#,
      """
      variables:
        API: https://api.example
      secrets:
        - PASSWORD
      defaults:
        base_url: ${{ API }}
      requests:
        - url: /login
          form:
            user: ann
            password: ${{ PASSWORD }}
          capture:
            TOKEN: $.data[0].token

        # All orders
        - url: /orders?limit=10
          auth:
            bearer: ${{ TOKEN }}

        # not translated (expressions): $(date +%F)
        - url: /orders?day=$(date +%F)

      """),
    Case(
      "standard input: a here-document for -d loses its line breaks, one for cat keeps them",
      """
      curl -L a.example/1 -H 'Content-Type: text/plain' -d @- <<'EOF'
      $one
      two
      EOF
      cat <<EOF | curl -L a.example/2 -H 'Content-Type: text/plain' --data-binary @-
      $ONE "two"
      EOF
      echo -n '{"a": 1}' | curl -L a.example/3 --json @-
      """,
      """
      variables:
        ONE: ${{ env.ONE }}
      defaults:
        base_url: http://a.example
      requests:
        - url: /1
          headers:
            Content-Type: text/plain
          body: $onetwo

        - url: /2
          headers:
            Content-Type: text/plain
          body: |
            ${{ ONE }} "two"

        - url: /3
          headers:
            Accept: application/json
          json:
            a: 1

      """),
    Case(
      "cmd, as browsers copy it",
      #"""
      curl ^"https://a.example/x?q=a^%^20b^" ^
        -L -H ^"accept: */*^" ^
        -H ^"content-type: application/json^" ^
        --data-raw ^"^{^\^"a^\^":^\^"b^&c\\u0021^\^"^}^"
      """#,
      #"""
      requests:
        - url: https://a.example/x?q=a%20b
          headers:
            accept: "*/*"
          json:
            a: 'b&c\u0021'

      """#),
    Case(
      "C escapes, as browsers copy them for bash",
      #"curl -L 'https://a.example' -H 'content-type: text/plain' --data-raw $'it\'s\n\u0021'"#,
      """
      requests:
        - url: https://a.example
          headers:
            content-type: text/plain
          body: |-
            it's
            !

      """),
    Case(
      "multipart: files with curl's types, text of files, settings",
      #"curl -L https://a.example -F 'a=@x.json' -F 'b=@y.png;filename="z 1.png"' -F 'c=<t.txt' -F 'd="1;2";type=text/x'"#
        + " -F e=1 -F e=2 --form-string 'f=@no'",
      """
      requests:
        - url: https://a.example
          multipart:
            a:
              file: x.json
              type: application/octet-stream
            b:
              file: y.png
              filename: z 1.png
            c: ${{ file('t.txt') }}
            d:
              value: 1;2
              type: text/x
            e:
              - 1
              - 2
            f: "@no"

      """),
    Case(
      "options of the connection",
      "curl -Lk --max-redirs 3 -m 2.5 --connect-timeout 1 --retry 2 --tlsv1.2 -x http://u:secret@p:1 --http1.1 -4"
        + " --limit-rate 10k --resolve a:443:127.0.0.1 --cert c.pem:secret https://a -u ann:secret --digest -A ''",
      """
      secrets:
        - PASSWORD
      requests:
        - url: https://a
          headers:
            User-Agent: null
          auth:
            digest:
              username: ann
              password: ${{ PASSWORD }}
          timeout:
            connect: 1s
            resource: 2.5s
          redirects:
            max: 3
          retry:
            attempts: 3
            interval: 1s
          tls:
            verify: false
            min_version: "1.2"
            cert: c.pem
            passphrase: ${{ PASSWORD }}
          proxy:
            url: http://p:1
            username: u
            password: ${{ PASSWORD }}
          http_version: "1.1"
          resolve:
            - a:443:127.0.0.1
          ip_version: 4
          limit_rate: 10KiB

      """),
    Case(
      "uploads, globs, dot segments; what has no form is told",
      """
      curl -L -T 'a b.txt' 'https://a.example/in/?x=1'
      curl -L 'https://a.example/{a,b}/[08-10:2]' --ciphers X -o '#1'
      curl -L https://a.example/a/../b/./c -b jar.txt
      wget https://a.example
      """,
      """
      # not translated (commands other than curl): wget https://a.example

      defaults:
        base_url: https://a.example
      requests:
        - method: PUT
          url: /in/a%20b.txt?x=1
          body:
            file: a b.txt

        # not translated (options of TLS and proxies): --ciphers X
        - url: /a/08

        - url: /a/10

        - url: /b/08

        - url: /b/10

        # not translated (files of cookies): --cookie jar.txt
        - url: /b/c

      """),
    Case(
      "values of responses by jq and Python; a key in place of a name",
      #"""
      RESPONSE=$(curl -sL https://a.example/login -u sk_test_4eC39HqLyjWDarjtT1zdp7dc:)
      ID=$(echo "$RESPONSE" | jq -r .data.id)
      KEY=$(jq -r '.key' <<< $RESPONSE)
      NAME=$(curl -sL https://a.example/$ID -H "X-Key: $KEY" |
        python3 -c "import sys, json; print(json.load(sys.stdin)['user']['name'])")
      if [ -z "$NAME" ]; then exit 1; fi
      """#,
      """
      # not translated (conditions and loops): if [ -z "$NAME" ]

      secrets:
        - API_KEY
      defaults:
        base_url: https://a.example
      requests:
        - url: /login
          auth:
            basic:
              username: ${{ API_KEY }}
              password: ""
          capture:
            ID: $.data.id
            KEY: $.key

        - url: /${{ ID }}
          headers:
            X-Key: ${{ KEY }}
          capture:
            NAME: $.user.name

      """),
    Case(
      "functions are read where they are called, with their arguments",
      #"""
      get() { curl -sL "$BASE/$1" -H "X-A: ${2:-}" "${@:3}"; }
      cleanup() {
        # goes away
        curl -L -X DELETE "$BASE/session"
      }
      unused() { curl https://b.example; }
      trap cleanup EXIT
      get users/1 a
      """#,
      """
      # not translated (functions that are not called): unused() { curl https://b.example; }

      variables:
        BASE: ${{ env.BASE }}
      defaults:
        base_url: ${{ BASE }}
      requests:
        - url: /users/1
          headers:
            X-A: a

        # goes away
        - method: DELETE
          url: /session

      """),
    Case(
      "scripts of an export: checks, captures, loops and what ends it",
      #"""
      token=${token:?}
      user=${user-"ann $(uuid)"}
      curl() {
        command curl --output "$scratch/body" "$@"
      }
      expect() { :; }
      teardown() {
        # remove it
        curl --location --request DELETE "https://a.example/$id"
        expect 204
      }
      trap teardown EXIT

      # create
      # not exported: `expect.bytes` in a script
      name=x
      curl --location --header "Authorization: Bearer $token" --data-raw '{"name":"'"$name"'"}' --header 'Content-Type: application/json' "https://a.example/?q=$(encode "$user")"
      expect 201 4xx
      check '.name == "'"$name"'"'
      check '.tags | includes("a")'
      check '.tags | includes("b")'
      check '[.items[].id] | length == 2'
      check '.at | type == "string"'
      check '.at | test("^x") | not'
      check '[. | objects | select(has("gone"))] | length == 0'
      check '.n > 1 and .m < 2'
      id=$(jq -er .id "$scratch/body")
      id_json=$(jq -c .id "$scratch/body")
      next=$(absolute "$(header Location)")
      kind=$(header Content-Type | match '^(\w+)' || true)
      kind=${kind:-none}

      # GET /state
      for _ in {1..9}; do
        cookies=/dev/null curl --location "$next"
        holds ".id == $id_json" && break
        sleep 0.5
      done
      expect 2xx
      """#,
      """
      variables:
        user: ann ${{ uuid }}
      secrets:
        - token
      defaults:
        base_url: https://a.example
      requests:
        # not exported: `expect.bytes` in a script
        # not translated (checks by jq): .n > 1 and .m < 2
        - name: create
          variables:
            name: x
          url: /?q=${{ url_encode(user) }}
          json:
            name: ${{ name }}
          auth:
            bearer: ${{ token }}
          expect:
            status:
              - 201
              - 4xx
            json:
              $.name: ${{ name }}
              $.tags:
                includes:
                  - a
                  - b
              $.items[*].id:
                count: 2
              $.at:
                is: string
                not_matches: ^x
              $.gone:
                exists: false
          capture:
            id: $.id
            next:
              header: Location
            kind:
              header: Content-Type
              regex: '^(\\w+)'
              default: none

        - url: ${{ next }}
          session:
            cookies: none
          poll:
            attempts: 9
            interval: 0.5s
            until:
              json:
                $.id: ${{ id }}

        - name: remove it
          method: DELETE
          url: /${{ id }}
          expect:
            status: 204

      """),
    Case(
      "prompts, environments of commands, curl's own variables",
      """
      $ NO_PROXY=x curl -L --variable id=7/8 --expand-url 'https://a.example/{{id:url}}' > out 2>&1
      """,
      """
      requests:
        - url: https://a.example/7%2F8

      """),
  ]

  @Test(arguments: [
    ("Invoke-WebRequest -UseBasicParsing -Uri \"https://a.example\" `\n-Method \"POST\"", "a command of PowerShell"),
    (
      "$session = New-Object X\n$session.UserAgent = \"a\"\nInvoke-RestMethod -Uri \"https://a.example\"",
      "a command of PowerShell"
    ),
    ("fetch(\"https://a.example\", {\n  \"method\": \"GET\"\n});", "a call of fetch"),
    ("await fetch('https://a.example')", "a call of fetch"),
  ])
  func namesWhatElseBrowsersCopy(_ text: String, _ what: String) throws {
    let kind = ImportReader.curl
    let source = ImportSource(path: "in.txt", bytes: Array(text.utf8))
    var bag = DiagnosticBag()
    #expect(kind.recognizes(source) && kind.read([source], ImportSelection(), &bag) == nil)
    #expect(bag.diagnostics.map(\.message) == ["in.txt is \(what)"])
    #expect(bag.diagnostics.first?.help?.contains("Copy as cURL") ?? false)
  }

  static let hostile = [
    "$(", "`", "'", "\"", "${", "<<EOF\n", "<(", "curl [0-", "curl {", "curl -F a=\"", "curl -d '&' ", "\\", "$'\\x",
    "f() { f; f; }\nf\n",
    "a=$(curl ", "| curl -d @- ", "^\"", "%A", "{{", "curl --variable a=b --expand-url {{a:", "curl -b ';=", "\0",
  ]

  @Test(arguments: hostile) func endsSoon(_ piece: String) throws {
    for text in [String(repeating: piece, count: 300), "curl a ^\n" + String(repeating: piece, count: 300)] {
      let time = processorTime {
        var bag = DiagnosticBag()
        let kind = ImportReader.curl
        let source = ImportSource(path: "in", bytes: Array(text.utf8))
        _ = kind.read([source], ImportSelection(), &bag).map { composedImport($0) }
      }
      #expect(time < .seconds(60))
    }
  }
}

/// The text of the only file that a source becomes.
func composed(
  _ source: String, _ kind: String, _ selection: ImportSelection = ImportSelection()
) throws -> String {
  let kind = try reader(kind)
  var bag = DiagnosticBag()
  let collection = kind.read([ImportSource(path: "in", bytes: Array(source.utf8))], selection, &bag)
  let files = composedImport(try #require(collection)).files
  return String(decoding: try #require(files.first).bytes, as: UTF8.self)
}
