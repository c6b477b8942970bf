import Templates
import Testing
import Values

struct ValueCase: Sendable, CustomTestStringConvertible {
  let template: String
  let value: Value

  init(_ template: String, _ value: Value) {
    self.template = template
    self.value = value
  }

  var testDescription: String { template }
}

private func number(_ lexeme: String) -> Value { .number(Number(lexeme: lexeme)) }
private func list(_ values: Value...) -> Value { .list(values) }

private let literals: [ValueCase] = [
  ValueCase("${{ 'it''s' }}", .text("it's")),
  ValueCase(#"${{ 'a\d' }}"#, .text(#"a\d"#)),
  ValueCase(#"${{ "say \"hi\"\n\t\\ \u0041 \ud83d\ude00 \/" }}"#, .text("say \"hi\"\n\t\\ A 😀 /")),
  ValueCase("${{ 'a }} b ${{ c' }}", .text("a }} b ${{ c")),
  ValueCase("${{ '' }}", .text("")),
  ValueCase("${{12}}", .integer(12)),
  ValueCase("${{ -0.50 }}", number("-0.5")),
  ValueCase("${{ 1.5e3 }}", .integer(1500)),
  ValueCase("${{ true }}", .bool(true)),
  ValueCase("${{ false }}", .bool(false)),
  ValueCase("${{ null }}", .null),
  ValueCase("${{\n  'lines'\n  | upper\n}}", .text("LINES")),
]

private let texts: [ValueCase] = [
  ValueCase("no template", .text("no template")),
  ValueCase("", .text("")),
  ValueCase("a ${{ text }} b ${{ user.id }}!", .text("a Hello b 7!")),
  ValueCase("${{ text }}${{ price }}", .text("Hello0.10")),
  ValueCase(" ${{ user.id }}", .text(" 7")),
  ValueCase("${{ none }},${{ yes }},${{ nested }}", .text("null,true,[[1,2],3,[[4]]]")),
  ValueCase("at ${{ started }}", .text("at 2024-05-01T10:00:00.250Z")),
  ValueCase("${{ data }}.", .text("AP8Q.")),
  ValueCase("$${{ text }}", .text("${{ text }}")),
  ValueCase("a$${{b}}${{ user.id }}", .text("a${{b}}7")),
  ValueCase("$$${{ x", .text("$${{ x")),
  ValueCase("cost: $5 {{ x }} }} $", .text("cost: $5 {{ x }} }} $")),
  ValueCase("${{ template }}", .text("${{ text }}")),
  ValueCase("<${{ template }}>", .text("<${{ text }}>")),
]

private let lookups: [ValueCase] = [
  ValueCase("${{ user.id }}", .integer(7)),
  ValueCase("${{ user.roles }}", list(.text("admin"), .text("dev"))),
  ValueCase("${{ user.roles[1] }}", .text("dev")),
  ValueCase("${{ rows[0].name }}", .text("A")),
  ValueCase("${{ rows[-1].name }}", .text("B")),
  ValueCase("${{ rows[2 - 1]['name'] }}", .text("B")),
  ValueCase("${{ row[\"first name\"] }}", .text("Ann")),
  ValueCase("${{ row.and }}", .text("keyword")),
  ValueCase("${{ (user).name }}", .text("Ann")),
  ValueCase("${{ env.HOME }}", .text("/home/ann")),
  ValueCase("${{ env.NOPE == 'x' }}", .bool(false)),
  ValueCase("${{ 'x' != env['NOPE'] }}", .bool(true)),
  ValueCase("${{ (env.NOPE) == null }}", .bool(true)),
  ValueCase("${{ env.HOME == null or env.HOME != '/home/ann' }}", .bool(false)),
  ValueCase("${{ env['a-b'] }}", .text("dashed")),
  ValueCase("${{ größe }}", .integer(180)),
  ValueCase("${{ big }}", number("12345678901234567890")),
  ValueCase("${{ first }}", .text("a variable named like a function")),
]

private let operators: [ValueCase] = [
  ValueCase("${{ price == 0.1 }}", .bool(true)),
  ValueCase("${{ 1 == '1' }}", .bool(false)),
  ValueCase("${{ user.nick == null }}", .bool(true)),
  ValueCase("${{ user.roles == user.roles }}", .bool(true)),
  ValueCase("${{ text != 'Hello' }}", .bool(false)),
  ValueCase("${{ 2 < 10 }}", .bool(true)),
  ValueCase("${{ '2' < '10' }}", .bool(false)),
  ValueCase("${{ 2 >= 2.0 }}", .bool(true)),
  ValueCase("${{ 3 <= 2 }}", .bool(false)),
  ValueCase("${{ 3 > 2 }}", .bool(true)),
  ValueCase("${{ now < started }}", .bool(true)),
  ValueCase("${{ not yes }}", .bool(false)),
  ValueCase("${{ not not yes }}", .bool(true)),
  ValueCase("${{ not 1 == 2 }}", .bool(true)),
  ValueCase("${{ yes and not false or 1 > 2 }}", .bool(true)),
  ValueCase("${{ true or later }}", .bool(true)),
  ValueCase("${{ false and later }}", .bool(false)),
  ValueCase("${{ true or false and false }}", .bool(true)),
  ValueCase("${{ 1 + 2 * 3 - 4 }}", .integer(3)),
  ValueCase("${{ (1 + 2) * 3 }}", .integer(9)),
  ValueCase("${{ 10 - 3 - 2 }}", .integer(5)),
  ValueCase("${{ 0.1 + 0.2 }}", number("0.3")),
  ValueCase("${{ big + 1 }}", number("12345678901234567891")),
  ValueCase("${{ -user.id }}", .integer(-7)),
  ValueCase("${{ - - 5 }}", .integer(5)),
  ValueCase("${{ 3-1 }}", .integer(2)),
  ValueCase("${{ 3 - -1 }}", .integer(4)),
  ValueCase("${{ -rows[0].name | length }}", .integer(-1)),
  ValueCase("${{ -5 | to_string }}", .text("-5")),
  ValueCase("${{ user.roles | length + 1 }}", .integer(3)),
  ValueCase("${{ text | length == 5 }}", .bool(true)),
  ValueCase("${{ 5 == text | length }}", .bool(true)),
  ValueCase("${{ not none | default(false) }}", .bool(true)),
]

private let functions: [ValueCase] = [
  ValueCase("${{ now }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ now() }}", .date(Timestamp(seconds: 1_714_557_600))),
  ValueCase("${{ now | plus('1d') | format('yyyy-MM-dd') }}", .text("2024-05-02")),
  ValueCase("${{ now | plus('-90s') }}", .date(Timestamp(seconds: 1_714_557_510))),
  ValueCase("${{ plus(now, '1500ms') }}", .date(Timestamp(seconds: 1_714_557_601, nanoseconds: 500_000_000))),
  ValueCase("${{ '2024-01-31' | plus('2h') | plus('5m') }}", .date(Timestamp(seconds: 1_706_666_700))),
  ValueCase("${{ started | format('HH:mm:ss.SSS') }}", .text("10:00:00.250")),
  ValueCase("${{ now | format(\"yyyy-MM-dd'T'HH:mmXXX\", '+02:00') }}", .text("2024-05-01T12:00+02:00")),
  ValueCase("${{ started | format('unix') }}", .integer(1_714_557_600)),
  ValueCase("${{ started | format('unix_ms') }}", .integer(1_714_557_600_250)),
  ValueCase("${{ now | format('http') }}", .text("Wed, 01 May 2024 10:00:00 GMT")),
  ValueCase("${{ now | format('iso8601') }}", .text("2024-05-01T10:00:00Z")),
  ValueCase("${{ now | format('iso8601', '-05:30') }}", .text("2024-05-01T04:30:00-05:30")),
  ValueCase("${{ random_int(3, 3) }}", .integer(3)),
  ValueCase("${{ random_string(0) }}", .text("")),
  ValueCase("${{ random_string(12) | length }}", .integer(12)),
  ValueCase("${{ 'héllo' | base64 }}", .text("aMOpbGxv")),
  ValueCase("${{ data | base64 }}", .text("AP8Q")),
  ValueCase("${{ 'aMOpbGxv' | base64_decode }}", .text("héllo")),
  ValueCase("${{ '_-8' | base64_decode }}", .data(Bytes([0xFF, 0xEF]))),
  ValueCase("${{ 'a b/ü~' | url_encode }}", .text("a%20b%2F%C3%BC~")),
  ValueCase("${{ 'a%20b%2F%c3%bc+' | url_decode }}", .text("a b/ü+")),
  ValueCase(
    "x${{ 'abc' | sha256 }}", .text("xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
  ValueCase("${{ md5('abc') | hex }}", .text("900150983cd24fb0d6963f7d28e17f72")),
  ValueCase("${{ 'abc' | md5 | base64 }}", .text("kAFQmDzST7DWlj99KOF/cg==")),
  ValueCase(
    "${{ 'what do ya want for nothing?' | hmac_sha256('Jefe') | to_string }}",
    .text("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
  ValueCase("${{ 'hi' | hex }}", .text("6869")),
  ValueCase(
    "${{ user | json }}", .text(#"{"id":7,"name":"Ann","first-name":"Anna","nick":null,"roles":["admin","dev"]}"#)),
  ValueCase("${{ 'a\"b' | json }}", .text(#""a\"b""#)),
  ValueCase(#"${{ from_json('{"a": [1, 0.10]}').a[1] }}"#, number("0.10")),
  ValueCase(#"${{ '[1,2]' | from_json[0] }}"#, .integer(1)),
  ValueCase("${{ file('greeting.txt') }}", .text("Hi ${{ text }}")),
  ValueCase("${{ file('image.bin') | hex }}", .text("ffd8")),
  ValueCase("${{ file('where') }}", .text("'where'")),
  ValueCase("${{ umlaut | upper }}", .text("GRÖSSE 👍🏽")),
  ValueCase("${{ 'ÄB' | lower }}", .text("äb")),
  ValueCase("${{ padded | trim }}", .text("x y")),
  ValueCase("${{ '  ' | trim }}", .text("")),
  ValueCase("${{ 'a-b-c' | replace('-', '') }}", .text("abc")),
  ValueCase("${{ user.id | replace('7', '8') }}", .text("8")),
  ValueCase("${{ 'a,,b' | split(',') }}", list(.text("a"), .text(""), .text("b"))),
  ValueCase("${{ 'a.b.c' | split('.')[1] }}", .text("b")),
  ValueCase("${{ user.roles | join(', ') }}", .text("admin, dev")),
  ValueCase("${{ nested[0] | join }}", .text("12")),
  ValueCase("${{ user.roles | first }}", .text("admin")),
  ValueCase("${{ rows | last.name }}", .text("B")),
  ValueCase("${{ umlaut | length }}", .integer(8)),
  ValueCase("${{ data | length }}", .integer(3)),
  ValueCase("${{ user | length }}", .integer(5)),
  ValueCase("${{ empty | length }}", .integer(0)),
  ValueCase("${{ nested | flatten }}", list(.integer(1), .integer(2), .integer(3), list(.integer(4)))),
  ValueCase("${{ '007' | to_integer }}", .integer(7)),
  ValueCase("${{ '-000' | to_integer }}", .integer(0)),
  ValueCase("x${{ '+12345678901234567890' | to_integer }}", .text("x12345678901234567890")),
  ValueCase("x${{ 1.50e2 | to_integer }}", .text("x150")),
  ValueCase("${{ '1.50' | to_number }}", number("1.5")),
  ValueCase("${{ user.id | to_string }}", .text("7")),
  ValueCase("${{ rows | to_string }}", .text(#"[{"name":"A"},{"name":"B"}]"#)),
  ValueCase("${{ later | default('x') }}", .text("x")),
  ValueCase("${{ waiting | default('x') }}", .text("x")),
  ValueCase("${{ none | default(2) }}", .integer(2)),
  ValueCase("${{ false | default(true) }}", .bool(false)),
  ValueCase("${{ '' | default('x') }}", .text("")),
  ValueCase("${{ text | default(later) }}", .text("Hello")),
  ValueCase("${{ default(env.NOPE, 'x') }}", .text("x")),
  ValueCase("${{ user.middle_name | default('-') }}", .text("-")),
  ValueCase("${{ user.nick.short | default('-') }}", .text("-")),
  ValueCase("${{ rows[9].name | default('-') }}", .text("-")),
  ValueCase("${{ empty | first | default('-') }}", .text("-")),
  ValueCase("${{ {a: 1}.b | default('-') }}", .text("-")),
  ValueCase("${{ {a: {b: 1}}['a'].c | default('-') }}", .text("-")),
  ValueCase("${{ [1][9] | default('-') }}", .text("-")),
  ValueCase("${{ split('a:b', ':')[9] | default('-') }}", .text("-")),
  ValueCase("${{ jsonpath(user, '$').x.y | default('-') }}", .text("-")),
  ValueCase("${{ jsonpath(user, '$.x').y | default('-') }}", .text("-")),
  ValueCase("${{ (later | default(rows))[9].name | default('-') }}", .text("-")),
  ValueCase("${{ first(rows[9]['name']) | default('-') }}", .text("-")),
  ValueCase("${{ later | default(none) | default('z') }}", .text("z")),
]

@Suite("Templates")
struct TemplateValueTests {
  @Test("A template has its value", arguments: literals + texts + lookups + operators + functions)
  func value(_ example: ValueCase) throws {
    let value = try evaluate(example.template)
    #expect(value.kind == example.value.kind)
    #expect(value == example.value)
    #expect(!value.isSecret, "nothing here is computed from a secret")
    let known = parse(example.template).template?.resultKind
    #expect(known == nil || known == value.kind)
  }

  @Test("Numbers keep how they are written")
  func lexemes() throws {
    #expect(
      try evaluate("<${{ price }} ${{ 1.50 }} ${{ -1.50 }} ${{ '0.10' | to_number }}>")
        == .text("<0.10 1.50 -1.50 0.10>"))
  }

  @Test(
    "A text is a template if it has one or its escape",
    arguments: [
      ("", false), ("a", false), ("$ {{ a }}", false), ("{{ a }}", false), ("${{ a }}", true), ("x$${{", true),
    ])
  func detection(_ text: String, _ isTemplate: Bool) {
    #expect(Template.isTemplate(text) == isTemplate)
  }

  @Test(
    "Only a template without anything beside it is whole",
    arguments: [
      ("${{ text }}", true), ("${{text}}", true), (" ${{ text }}", false), ("${{ text }}\n", false),
      ("${{ text }}${{ text }}", false), ("$${{", false), ("text", false),
    ])
  func wholeness(_ text: String, _ isWhole: Bool) throws {
    #expect(try #require(parse(text).template).isWhole == isWhole)
  }

  @Test(
    "Names are letters, digits and underscores, and not reserved",
    arguments: [
      ("a", true), ("_a1", true), ("größe", true), ("1a", false), ("", false), ("a-b", false), ("a b", false),
      ("env", false), ("not", false), ("now", false), ("first", true),
    ])
  func names(_ text: String, _ isName: Bool) {
    #expect(Template.isName(text) == isName)
  }

  @Test("The pieces of a text can be joined in another way, as a JSONPath needs it")
  func joining() throws {
    let template = try #require(parse("$[?@.name == ${{ user.name }}][${{ user.id }}]$${{").template)
    let text = try template.evaluate(in: TestScope()) { $0.jsonText() }
    #expect(text.string == #"$[?@.name == "Ann"][7]${{"#)
  }

  @Test("A whole template can be had as text")
  func text() throws {
    #expect(try #require(parse("${{ user.id }}").template).evaluateText(in: TestScope()) == "7")
  }
}

@Suite("Random functions")
struct RandomFunctionTests {
  @Test("The same seed gives the same values")
  func repeatable() throws {
    let template = "${{ uuid }} ${{ random_string(20) }} ${{ random_int(0, 1000000) }}"
    let first = try evaluate(template)
    #expect(try evaluate(template) == first)
    let scope = TestScope()
    #expect(try evaluate(template, in: scope) == first)
    #expect(try evaluate(template, in: scope) != first, "the sequence goes on")
    #expect(first.asText.string.hasSuffix(" 2syU7mdWNy8nconrjSmF 618668"), "on every platform: \(first)")
  }

  @Test("SplitMix64 gives its published sequence")
  func splitMix() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test("A UUID is one of version 4")
  func uuid() throws {
    let text = try evaluate("${{ uuid() }}").asText.string
    #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: text) != nil)
  }

  @Test("random_int reaches both its ends and nothing beyond")
  func range() throws {
    let scope = TestScope()
    var seen: Set<Int> = []
    for _ in 0..<200 {
      guard case .number(let number) = try evaluate("${{ random_int(-1, 1) }}", in: scope) else { continue }
      seen.insert(try #require(number.int))
    }
    #expect(seen == [-1, 0, 1])
    let whole = try evaluate("${{ random_int(-9223372036854775808, 9223372036854775807) }}", in: scope)
    #expect(whole.kind == .number)
  }
}
