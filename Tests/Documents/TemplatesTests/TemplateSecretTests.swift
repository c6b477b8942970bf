import Templates
import Testing
import Values

@Suite("Secrets in templates")
struct TemplateSecretTests {
  static let partly = [
    ("x ${{ token }} y", "x *** y"),
    ("${{ bearer }}", "Bearer ***"),
    ("${{ bearer | upper }}!", "BEARER ***!"),
    ("${{ bearer | url_encode }}", "Bearer%20***"),
    ("${{ account | json }}", #"{"name":"Ann","password":"***"}"#),
    ("${{ account }}.", #"{"name":"Ann","password":"***"}."#),
    ("${{ account.name }}", "Ann"),
    ("${{ account.password | lower }}", "***"),
    ("a${{ env.API_TOKEN }}b", "a***b"),
    ("${{ user.roles | join(token) }}", "admin***dev"),
    ("${{ later | default(token) }}", "***"),
    ("${{ bearer | to_string }}", "Bearer ***"),
    ("${{ [token, 'a'] | reverse | join('-') }}", "a-***"),
    ("${{ {a: token, b: 1} }}!", #"{"a":"***","b":1}!"#),
    ("${{ concat('x', bearer) }}", "xBearer ***"),
    ("${{ concat(['x'], [token]) | json }}", #"["x","***"]"#),
    ("${{ jsonpath(account, '$.name') }}", "Ann"),
    ("${{ jsonpath([account], '$[0].password') }}", "***"),
    ("${{ map([account], '$.password') | join }}", "***"),
    ("${{ merge(account, {name: 'x'}) }}.", #"{"name":"x","password":"***"}."#),
    ("${{ values(account) | sort | join(' ') }}", "Ann ***"),
    ("${{ bearer | html_escape }}", "Bearer ***"),
    ("${{ [[token], 'a'] | flatten | join('-') }}", "***-a"),
    ("${{ [token, 'a', token] | unique | join('-') }}", "***-a"),
    ("${{ [token, token] | shuffle | join('-') }}", "***-***"),
    ("${{ ['a', token] | last }}", "***"),
    ("${{ keys(account) | join(' ') }}", "name password"),
    ("${{ token if true else 'x' }}", "***"),
    ("${{ 'x' if token == 'y' else 'z' }}", "z"),
  ]

  @Test("Only the secret part of a text is masked", arguments: partly)
  func runs(_ template: String, _ shown: String) throws {
    #expect(try evaluate(template).asText.masked == shown)
  }

  static let mixing = [
    "base64(bearer)", "bearer | base64 | base64_decode", "bearer | sha256", "bearer | md5", "bearer | hex",
    "'x' | hmac_sha256(token)", "bearer | trim", "bearer | replace('e', 'E')", "'abc' | replace('b', token)",
    "bearer | split(' ') | first", "bearer | url_decode", "pin", "pin + 1", "-pin", "2 * pin", "token | length",
    "pin | to_string", "pin | to_string | to_integer", "pin / 2", "pin % 7", "[pin, 1] | sum", "[pin, 1] | max",
    "round(pin / 7)",
    "jwt_sign({a: 1}, token)", "jwt_sign({a: token}, 'k')", "jwt(jwt_sign({a: token}, 'k')).claims.a",
    "jwt_verify(jwt_sign({a: 'x'}, token), token).claims.a", "bearer | match('\\w+')",
    "'abc' | replace_regex('b', token)",
    "bearer | base64url", "bearer | sha1", "'x' | hmac_sha512(token)", "bearer | hex | from_hex",
    "url(bearer | base64).path",
    "totp('MFRGG' | replace('X', token))", "xpath('<a>x</a>' | replace('y', token), 'string(/a)')",
    "difference(expiry, now)",
    "bearer | html_unescape", "date(expiry) | format('yyyy')", "random_item([token])",
    "jsonpath({a: 'x'}, '$.a' | replace('y', token))", "'\"' | replace('x', token) | length", "expiry | plus('1d')",
    "expiry | format('yyyy')", "expiry | format('unix')",
    "'2024-01-01' | plus(token | default('1d') | replace('s3cr3t!', '1d'))",
    "'[\"a\"]' | replace('a', token) | from_json", "rows[pin - 1234].name", "random_string(pin)",
    "fake('email' | replace('x', token))", "bearer | sha512", "'x' | hmac_sha1(token)",
    "file('greeting.txt' | replace('G', token))", "range(pin - 1233, 3)", "[pin, 9999] | min", "floor(pin / 7)",
    "ceil(pin / 7)", "pin | to_string | to_number", "random_int(pin, 1234)",
  ]

  @Test("What mixes a secret is secret as a whole", arguments: mixing)
  func whole(_ expression: String) throws {
    let value = try evaluate("${{ \(expression) }}")
    #expect(value.isSecret)
    if case .list = value { return }
    #expect(value.asText.masked == Text.mask)
  }

  static let open = [
    "token == 's3cr3t!'", "pin > 3", "not (token == 'x')", "account | length",
  ]

  @Test("A comparison is a plain boolean, a count of items a plain number", arguments: open)
  func plain(_ expression: String) throws {
    #expect(try !evaluate("${{ \(expression) }}").isSecret)
  }

  @Test(
    "Errors never repeat a secret",
    arguments: [
      "token | to_integer", "token | from_json", "token + 1", "user[token]", "account[token]", "now | plus(token)",
      "now | format(token | replace('!', 'b'))", "bearer | to_number", "token | plus('1d')",
    ])
  func errors(_ expression: String) throws {
    let template = try #require(parse("${{ \(expression) }}").template)
    let error = try #require(throws: TemplateError.self) { try template.evaluate(in: TestScope()) }
    for secret in ["s3cr3t", "abc def"] {
      #expect(!error.message.contains(secret))
      #expect(error.help?.contains(secret) != true)
    }
  }

  @Test("Each function that takes arguments stands here, with a secret among them") func isComplete() {
    let rows = Self.partly.map(\.0) + Self.mixing + Self.open
    let missing = FunctionReference.names.filter { name in
      let takesNone = parse("${{ \(name)(token) }}").diagnostics.first?.message.contains("takes no arguments") == true
      let call = try? Regex("\\b\(name)\\b")
      return !takesNone && !rows.contains { row in call.map { row.contains($0) } ?? false }
    }
    #expect(missing == [], "they need a row: `.tracking` marks what is secret itself, `.whole` marks the whole result")
  }

  @Test("No two functions have one name") func names() {
    let counts = Dictionary(FunctionReference.names.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts.filter { $0.value > 1 }.keys.sorted() == [], "the second one in Documents/Templates is never called")
  }
}
