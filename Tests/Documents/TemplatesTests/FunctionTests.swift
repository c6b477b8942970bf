import Templates
import Testing
import Values

private func number(_ lexeme: String) -> Value { .number(Number(lexeme: lexeme)) }
private func list(_ values: Value...) -> Value { .list(values) }
private func texts(_ values: String...) -> Value { .list(values.map { .text($0) }) }
private func integers(_ values: Int...) -> Value { .list(values.map { .integer($0) }) }
private func mapping(_ members: (String, Value)...) -> Value { .mapping(Mapping(members)) }

private let expressions: [ValueCase] = [
  ValueCase("${{ [] }}", list()),
  ValueCase("${{ [1, 'a', [user.id]] }}", list(.integer(1), .text("a"), integers(7))),
  ValueCase("${{ {} }}", mapping()),
  ValueCase("${{{}}}", mapping()),
  ValueCase("${{ {a: {b: 1}} }}", mapping(("a", mapping(("b", .integer(1)))))),
  ValueCase("${{{a: {b: {}}}}}", mapping(("a", mapping(("b", mapping()))))),
  ValueCase("x${{ {if: text, \"a b\": [none]} }}y", .text(#"x{"if":"Hello","a b":[null]}y"#)),
  ValueCase("${{ {a: 1}.a }}${{ {b: '}}'}.b }}", .text("1}}")),
  ValueCase("${{ [1, 2, 3][-1] }}", .integer(3)),
  ValueCase("${{ (user.roles)[0] }}", .text("admin")),
  ValueCase("${{ (text | split('l'))[2] }}", .text("o")),
  ValueCase("${{ {a: [5]}['a'][0] }}", .integer(5)),
  ValueCase("${{ 1 if yes else 2 }}", .integer(1)),
  ValueCase("${{ 1 if not yes else 2 }}", .integer(2)),
  ValueCase("${{ 'a' if 1 > 2 else 'b' if 2 > 3 else 'c' }}", .text("c")),
  ValueCase("${{ 1 + 1 if yes or later else later }}", .integer(2)),
  ValueCase("${{ [1 if yes else 2, upper('b' if yes else text)] }}", list(.integer(1), .text("B"))),
  ValueCase("${{ (later if false else 3) + 1 }}", .integer(4)),
  ValueCase("${{ 'ell' in text }}", .bool(true)),
  ValueCase("${{ '' in text }}", .bool(true)),
  ValueCase("${{ 'x' in '' }}", .bool(false)),
  ValueCase("${{ 'dev' in user.roles and not 'root' in user.roles }}", .bool(true)),
  ValueCase("${{ 1.0 in [1, 2] }}", .bool(true)),
  ValueCase("${{ '1' in [1, 2] }}", .bool(false)),
  ValueCase("${{ null in [none] }}", .bool(true)),
  ValueCase("${{ 'nick' in user }}", .bool(true)),
  ValueCase("${{ 'x' in user or 1 + 1 in [2] }}", .bool(true)),
  ValueCase("${{ 6 / 3 }}", .integer(2)),
  ValueCase("${{ 1 / 8 }}", number("0.125")),
  ValueCase("<${{ 1 / 3 }}>", .text("<0.3333333333333333333333333333333333>")),
  ValueCase("<${{ 2 / 3 }}>", .text("<0.6666666666666666666666666666666667>")),
  ValueCase("<${{ -7 / 2 * 2 }}>", .text("<-7>")),
  ValueCase("<${{ 1e40 / 3 }}>", .text("<3333333333333333333333333333333333000000>")),
  ValueCase("<${{ 0 / -5 }} ${{ 0.3 / 0.1 }} ${{ 1 / 1e30 }}>", .text("<0 3 0.000000000000000000000000000001>")),
  ValueCase("<${{ -9223372036854775808 / -1 }}>", .text("<9223372036854775808>")),
  ValueCase("${{ [7 % 3, -7 % 3, 7 % -3, -7 % -3] }}", integers(1, -1, 1, -1)),
  ValueCase("<${{ 5.5 % 2 }} ${{ 1e20 % 7 }} ${{ 1 % 1e20 }} ${{ 0.3 % 0.1 }}>", .text("<1.5 2 1 0>")),
  ValueCase("${{ 2 * 3 % 4 / 2 }}", .integer(1)),
]

private let lists: [ValueCase] = [
  ValueCase("${{ concat([1], [], [2, [3]]) }}", list(.integer(1), .integer(2), integers(3))),
  ValueCase("${{ 'a' | concat(1, true) }}", .text("a1true")),
  ValueCase("${{ [3, 1.5, 20, -1] | sort }}", list(.integer(-1), number("1.5"), .integer(3), .integer(20))),
  ValueCase("${{ ['b', 'B', 'ä', 'a'] | sort }}", texts("B", "a", "b", "ä")),
  ValueCase("${{ [now | plus('1d'), now] | sort | first }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ empty | sort }}", list()),
  ValueCase("${{ [1, 1.0, '1', 1, null, null] | unique }}", list(.integer(1), .text("1"), .null)),
  ValueCase("${{ [{a: 1, b: 2}, {b: 2, a: 1.0}, {a: 2, b: 2}] | unique | length }}", .integer(2)),
  ValueCase("${{ [1, 2, 3] | reverse }}", integers(3, 2, 1)),
  ValueCase("<${{ [0.1, 0.2, 3] | sum }}>", .text("<3.3>")),
  ValueCase("${{ empty | sum }}", .integer(0)),
  ValueCase("${{ [2, 10, 3] | min }}", .integer(2)),
  ValueCase("${{ [2, 10, 3] | max }}", .integer(10)),
  ValueCase("${{ ['b', 'a'] | max }}", .text("b")),
  ValueCase("${{ min(empty) | default(0) }}", .integer(0)),
  ValueCase("${{ range(3) }}", integers(0, 1, 2)),
  ValueCase("${{ range(2, 5) }}", integers(2, 3, 4)),
  ValueCase("${{ range(5, 0, -2) }}", integers(5, 3, 1)),
  ValueCase("${{ range(5, 0) }}", list()),
  ValueCase("${{ range(9223372036854775806, 9223372036854775807) }}", integers(.max - 1)),
  ValueCase("${{ range(-9223372036854775808, 9223372036854775807, 9223372036854775807) | length }}", .integer(3)),
  ValueCase("${{ keys(user) }}", texts("id", "name", "first-name", "nick", "roles")),
  ValueCase("${{ values({a: 1, b: null}) }}", list(.integer(1), .null)),
  ValueCase("<${{ merge({a: 1, b: 2}, {b: 3}, {c: 4}) }}>", .text(#"<{"a":1,"b":3,"c":4}>"#)),
  ValueCase("${{ map(rows, '$.name') }}", texts("A", "B")),
  ValueCase("${{ [{a: 1}, {}, 5] | map('$.a') }}", list(.integer(1), .null, .null)),
  ValueCase("${{ nested | map('$[*]') | last }}", list(integers(4))),
  ValueCase("${{ jsonpath(user, '$.roles[1]') }}", .text("dev")),
  ValueCase("${{ jsonpath(rows, '$..name') }}", texts("A", "B")),
  ValueCase("${{ jsonpath(rows, '$[?@.name == \"B\"].name')[0] }}", .text("B")),
  ValueCase("${{ user | jsonpath('$.x') | default('-') }}", .text("-")),
  ValueCase("${{ jsonpath(later, '$.x') | default('-') }}", .text("-")),
  ValueCase("${{ jsonpath([started], '$[0]') | format('unix') }}", .integer(1_714_557_600)),
  ValueCase("${{ jsonpath('[1]', '$') }}", .text("[1]")),
  ValueCase("${{ xpath('<a><b>1</b><b>2</b></a>', '//b') }}", texts("1", "2")),
  ValueCase("${{ xpath('<a><b>1</b></a>', 'number(//b) + 1') }}", .integer(2)),
  ValueCase("${{ '<!DOCTYPE html><title>T</title><p>x' | xpath('string(//title)') }}", .text("T")),
  ValueCase("${{ xpath('<a/>', 'string(//b)') | default('none') }}", .text("none")),
]

private let conversions: [ValueCase] = [
  ValueCase("${{ [round(2.5), round(-2.5), round(0.49), round(1e2)] }}", integers(3, -3, 0, 100)),
  ValueCase("<${{ round(2 / 3, 2) }} ${{ round(1249, -2) }} ${{ round(0.04, 1) }}>", .text("<0.67 1200 0>")),
  ValueCase("${{ [floor(1.9), floor(-1.1), ceil(1.1), ceil(-1.9), ceil(0.001)] }}", integers(1, -2, 2, -1, 1)),
  ValueCase("${{ 'id=42, id=43' | match('id=(\\d+)') }}", .text("42")),
  ValueCase("${{ 'id=42' | match('\\d') }}", .text("4")),
  ValueCase("${{ match('2024-05', '(?<year>\\d+)-(?<month>\\d+)', 'month') }}", .text("05")),
  ValueCase("${{ match('2024-05', '(\\d+)-(\\d+)', 0) }}", .text("2024-05")),
  ValueCase("${{ match(text, 'x') | default('-') }}", .text("-")),
  ValueCase("${{ replace_regex('a1b22', '\\d+', '<$0>') }}", .text("a<1>b<22>")),
  ValueCase("${{ replace_regex('2024-05', '(\\d+)-(?<m>\\d+)', '$<m>/$1$$') }}", .text("05/2024$")),
  ValueCase("${{ replace_regex('abc', '', '-') }}", .text("-a-b-c-")),
  ValueCase("${{ replace_regex('ü', '', '-') }}", .text("-ü-")),
  ValueCase("${{ replace_regex('baaac', 'a*', 'x') }}", .text("xbxxcx")),
  ValueCase("${{ replace_regex('ab', '(x)?b', '[$1]') }}", .text("a[]")),
  ValueCase("x${{ 'abc' | sha1 }}", .text("xa9993e364706816aba3e25717850c26c9cd0d89d")),
  ValueCase(
    "x${{ '' | sha512 }}",
    .text(
      "xcf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")),
  ValueCase(
    "x${{ 'what do ya want for nothing?' | hmac_sha1('Jefe') }}", .text("xeffcdf6ae5eb2fa2d27416d5f184df9c259a7c79")),
  ValueCase("${{ 'what do ya want for nothing?' | hmac_sha512('Jefe') | length }}", .integer(64)),
  ValueCase("${{ from_hex('fbff') | base64url }}", .text("-_8")),
  ValueCase("${{ 'a' | base64url }}", .text("YQ")),
  ValueCase("${{ '68c3A9' | from_hex }}", .text("hé")),
  ValueCase("${{ 'ff' | from_hex }}", .data(Bytes([0xFF]))),
  ValueCase("${{ '<a href=\"x\">&''</a>' | html_escape }}", .text("&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;")),
  ValueCase(
    "${{ '&lt;&eacute;&#233;&#xE9;&hearts;&apos;&nope;&amp;lt; & &#0; &#x110000;' | html_unescape }}",
    .text("<ééé♥'&nope;&lt; & &#0; &#x110000;")),
  ValueCase(
    "<${{ url('HTTPS://u:p@Example.com:8443/a%20b?x=1&y=#top') }}>",
    .text(
      #"<{"scheme":"https","host":"example.com","port":8443,"path":"/a%20b","query":"x=1&y=","fragment":"top"}>"#)),
  ValueCase("${{ url('http://[::1]')['port'] }}", .integer(80)),
  ValueCase("${{ url('http://[::1]:81').host }}", .text("[::1]")),
  ValueCase("${{ url('http://a').path }}", .text("/")),
  ValueCase("${{ url('/a?b').host }}", .null),
  ValueCase("${{ url('/a?b').query }}", .text("b")),
]

private let dates: [ValueCase] = [
  ValueCase("${{ date('2024-05-01T10:00:00Z') }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ date('Wed, 01 May 2024 10:00:00 GMT') }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ date('01.05.2024', 'dd.MM.yyyy') | format('unix') }}", .integer(1_714_521_600)),
  ValueCase("${{ date('20240501100000', 'yyyyMMddHHmmss') | format('unix') }}", .integer(1_714_557_600)),
  ValueCase("${{ date('1/5/24 7h', \"d/M/yy H'h'\") | format('iso8601') }}", .text("2024-05-01T07:00:00Z")),
  ValueCase(
    "${{ date('wed 1 MAY 2024 10:00:00.25 +02:00', 'EEE d MMM yyyy HH:mm:ss.S XXX') | format('unix_ms') }}",
    .integer(1_714_550_400_250)),
  ValueCase(
    "${{ date('2024-05-01 12:00', 'yyyy-MM-dd HH:mm', 'Europe/Paris') | format('unix') }}", .integer(1_714_557_600)),
  ValueCase("${{ date(1714557600.25, 'unix') | format('unix_ms') }}", .integer(1_714_557_600_250)),
  ValueCase("${{ date('1714557600250', 'unix_ms') | format('unix_ms') }}", .integer(1_714_557_600_250)),
  ValueCase("${{ date(-0.5, 'unix') | format('iso8601') }}", .text("1969-12-31T23:59:59.500Z")),
  ValueCase("${{ now | date }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ '2024-01-31' | plus('1mo') | format('yyyy-MM-dd') }}", .text("2024-02-29")),
  ValueCase("${{ '2024-03-31T23:59:59Z' | plus('-1mo') }}", .date(Timestamp(seconds: 1_709_251_199))),
  ValueCase("${{ '2024-02-29' | plus('1y') | format('yyyy-MM-dd') }}", .text("2025-02-28")),
  ValueCase("${{ '0001-01-15' | plus('-12mo') | format('yyyy-MM-dd') }}", .text("0000-01-15")),
  ValueCase("${{ '2024-11-30' | plus('15mo') | format('yyyy-MM-dd') }}", .text("2026-02-28")),
  ValueCase("<${{ difference(started, now) }} ${{ difference('2024-01-01', '2024-01-02') }}>", .text("<0.25 -86400>")),
  ValueCase("${{ now | format('EEE, dd MMM yyyy', 'Europe/Paris') }}", .text("Wed, 01 May 2024")),
  ValueCase("${{ now | format('EEEE EEEEE MMMM', 'Asia/Kolkata') }}", .text("Wednesday W May")),
  ValueCase("${{ now | format('HH:mm XXX', 'Asia/Kolkata') }}", .text("15:30 +05:30")),
  ValueCase("${{ now | format('HH:mm', text | replace('Hello', 'America/New_York')) }}", .text("06:00")),
]

private let tokens: [ValueCase] = [
  ValueCase(
    "${{ jwt_sign({sub: 'ann'}, 'secret') }}",
    .text("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm4ifQ.PjR3fgnevdXvvFDIexpV052PaeBybdsfUE102L3fkg4")),
  ValueCase("${{ jwt(jwt_sign({sub: 'ann'}, 'secret', {algorithm: 'HS512', kid: 'k'})).header.kid }}", .text("k")),
  ValueCase("${{ jwt_verify(jwt_sign({n: 1.50}, 'secret'), 'secret').claims.n | to_string }}", .text("1.50")),
  ValueCase("${{ jwt_verify(jwt_sign('text', 'secret'), 'secret', ['HS256', 'HS512']).claims }}", .text("text")),
  ValueCase(
    "${{ jwt_verify(jwt_sign({}, {kty: 'oct', k: 'c2VjcmV0', kid: 'a'}), 'secret', 'HS256').header.kid }}", .text("a")),
  ValueCase("${{ totp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ') }}", .text("593855")),
]

@Suite("Functions and operators")
struct FunctionTests {
  @Test("A template has its value", arguments: expressions + lists + conversions + dates + tokens)
  func value(_ example: ValueCase) throws {
    let value = try evaluate(example.template)
    #expect(value.kind == example.value.kind)
    #expect(value == example.value)
    #expect(!value.isSecret, "nothing here is computed from a secret")
    let known = parse(example.template).template?.resultKind
    #expect(known == nil || known == value.kind)
  }

  @Test(
    "The kind of a value is known where functions and operators decide it",
    arguments: [
      ("a ${{ 1 }}", .text), ("${{ 1 }}", .number), ("${{ env.A }}", .text), ("${{ a }}", nil), ("${{ a.b }}", nil),
      ("${{ a + 1 }}", .number), ("${{ -a }}", .number), ("${{ 1 in a }}", .boolean), ("${{ not a }}", .boolean),
      ("${{ a == 1 or b }}", .boolean), ("${{ 1 if a else 2 }}", .number), ("${{ 1 if a else '2' }}", nil),
      ("${{ a | default('') }}", nil), ("${{ env.A | default('') }}", .text), ("${{ {} }}", .mapping),
      ("${{ random_item([true, false]) }}", .boolean), ("${{ random_item([1, '2']) }}", nil),
      ("${{ random_item(a) }}", nil), ("${{ now | format('unix') }}", .number), ("${{ now | format(a) }}", nil),
      ("${{ now | format('yyyy') }}", .text), ("${{ concat([1], a) }}", .list), ("${{ concat(a) }}", nil),
    ] as [(String, ValueKind?)])
  func resultKinds(_ template: String, _ kind: ValueKind?) {
    #expect(parse(template).template?.resultKind == kind)
  }

  @Test("Functions whose results differ each time are known")
  func unrepeatable() {
    let text = "${{ [uuid, a, upper(fake('name'))] }} ${{ now | format('unix') }} ${{ sha256(totp(a)) }}"
    #expect(parse(text).template?.unrepeatableFunctions == ["uuid", "fake", "now", "totp"])
    #expect(parse("${{ upper(a) }}").template?.unrepeatableFunctions == [])
  }

  @Test(
    "Random functions repeat with the seed",
    arguments: [
      "uuid7", "shuffle(range(10))", "random_item(user.roles)", "fake('name')", "fake('email')", "fake('word')",
      "fake('sentence')",
    ])
  func repeatable(_ expression: String) throws {
    let first = try evaluate("${{ \(expression) }}")
    #expect(try evaluate("${{ \(expression) }}") == first)
    let scope = TestScope()
    var values: Set<Value> = []
    for _ in 0..<20 { values.insert(try evaluate("${{ \(expression) }}", in: scope)) }
    #expect(values.count > 1, "the sequence goes on")
  }

  @Test("Invented data has its form")
  func invented() throws {
    let scope = TestScope()
    for _ in 0..<50 {
      let email = try evaluate("${{ fake('email') }}", in: scope).asText.string
      #expect(email.wholeMatch(of: /[a-z]+\.[a-z]+\d+@example\.(com|net|org)/) != nil, "\(email)")
      let sentence = try evaluate("${{ fake('sentence') }}", in: scope).asText.string
      #expect(sentence.wholeMatch(of: /[A-Z][a-z]+( [a-z]+){4,9}\./) != nil, "\(sentence)")
      let shuffled = try evaluate("${{ shuffle(range(8)) | sort == range(8) }}", in: scope)
      #expect(shuffled == .bool(true))
    }
  }

  @Test("A UUID of version 7 begins with the time")
  func uuid7() throws {
    let text = try evaluate("${{ uuid7() }}").asText.string
    #expect(text.wholeMatch(of: /018f3398-c100-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil, "\(text)")
  }
}

/// The examples of RFC 6238, appendix B, of which six digits count.
@Suite("One-time passwords")
struct TOTPTests {
  private struct Clock: TemplateScope {
    let seconds: Int64
    var names: [String] { [] }
    func lookup(_ name: String) throws(TemplateError) -> TemplateLookup { .unknown }
    func environmentVariable(_ name: String) -> Text? { nil }
    func now() -> Timestamp { Timestamp(seconds: seconds, nanoseconds: 999_999_999) }
    func nextRandom() -> UInt64 { 0 }
    func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] { [] }
  }

  @Test(
    "The password of an instant is the published one",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ] as [(Int64, String)])
  func published(_ seconds: Int64, _ password: String) throws {
    for secret in ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv-GY3T QOJQ GEZD GNBV GY3T QOJQ===="] {
      let template = try #require(parse("${{ totp('\(secret)') }}").template)
      #expect(try template.evaluate(in: Clock(seconds: seconds)) == .text(password))
    }
  }
}
