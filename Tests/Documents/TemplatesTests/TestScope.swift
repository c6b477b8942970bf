import Synchronization
import Templates
import Values

/// A scope with a bit of everything, a clock that stands still and a seeded sequence.
final class TestScope: TemplateScope {
  static let secret = Value.text(Text(secret: "s3cr3t!"))

  static let variables: [String: Value] = [
    "user": .mapping(
      Mapping([
        ("id", .integer(7)), ("name", .text("Ann")), ("first-name", .text("Anna")), ("nick", .null),
        ("roles", .list([.text("admin"), .text("dev")])),
      ])),
    "row": .mapping(Mapping([("first name", .text("Ann")), ("and", .text("keyword"))])),
    "rows": .list([
      .mapping(Mapping([("name", .text("A"))])), .mapping(Mapping([("name", .text("B"))])),
    ]),
    "nested": .list([.list([.integer(1), .integer(2)]), .integer(3), .list([.list([.integer(4)])])]),
    "empty": .list([]),
    "none": .null,
    "yes": .bool(true),
    "price": .number(Number(lexeme: "0.10")),
    "big": .number(Number(lexeme: "12345678901234567890")),
    "huge": .number(Number(lexeme: "1e9999")),
    "text": .text("Hello"),
    "padded": .text(" \t x y\n"),
    "umlaut": .text("Größe 👍🏽"),
    "data": .data(Bytes([0, 255, 16])),
    "started": .date(Timestamp(seconds: 1_714_557_600, nanoseconds: 250_000_000)),
    "größe": .integer(180),
    "template": .text("${{ text }}"),
    "token": secret,
    "bearer": .text(Text("Bearer ") + Text(secret: "abc def")),
    "pin": .number(Number(lexeme: "1234", isSecret: true)),
    "account": .mapping(Mapping([("name", .text("Ann")), ("password", secret)])),
    "expiry": Value.date(Timestamp(seconds: 0)).tainted,
    "first": .text("a variable named like a function"),
  ]

  private let generator = Mutex(SplitMix64(seed: 42))

  var names: [String] { Self.variables.keys + ["later", "broken", "misplaced", "waiting"] }

  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    switch name {
    case "later": return .unset
    case "broken": throw TemplateError("the variable `broken` refers to itself", help: "break the circle")
    case "waiting": throw TemplateError("`waiting` is captured by a request that has not run", unsetName: "waiting")
    case "misplaced":
      let source = kept(SourceText(name: "vars.yaml", text: "elsewhere"))
      throw TemplateError("it failed in its own template", at: SourceRange(source, 0..<4))
    default:
      if let value = Self.variables[name] { return .value(value) }
      return .unknown
    }
  }

  func environmentVariable(_ name: String) -> Text? {
    switch name {
    case "HOME": "/home/ann"
    case "API_TOKEN": Text(secret: "from-env")
    case "a-b": "dashed"
    default: nil
    }
  }

  func now() -> Timestamp { Timestamp(seconds: 1_714_557_600) }
  func nextRandom() -> UInt64 { generator.withLock { $0.next() } }

  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    switch path {
    case "greeting.txt": return Array("Hi ${{ text }}".utf8)
    case "image.bin": return [0xFF, 0xD8]
    case "where": return Array(range.text.utf8)
    default: throw TemplateError("there is no file \(path)")
    }
  }
}

/// Keeps a source for the rest of the process: tests look at places in it when nothing holds it any more.
func kept(_ source: SourceText) -> SourceText {
  Unmanaged.passRetained(source).takeUnretainedValue()
}

func parse(_ text: String) -> (template: Template?, diagnostics: [Diagnostic]) {
  let source = kept(SourceText(name: "spec.yaml", text: text))
  var bag = DiagnosticBag()
  let template = Template.parse(text, place: { SourceRange(source, $0) }, into: &bag)
  return (template, bag.diagnostics)
}

func evaluate(_ text: String, in scope: TestScope = TestScope()) throws -> Value {
  let (template, diagnostics) = parse(text)
  if let first = diagnostics.first { throw first }
  guard let template else { throw Diagnostic.error(.invalidValue, "no template and no problem", at: nil) }
  return try template.evaluate(in: scope)
}

/// Cuts the marks `«` and `»` out of a text; gives the range of UTF-8 between them.
func marked(_ text: String) -> (text: String, range: Range<Int>?) {
  var bytes = ""
  var start: Int?
  var end: Int?
  for character in text {
    switch character {
    case "«": start = bytes.utf8.count
    case "»": end = bytes.utf8.count
    default: bytes.append(character)
    }
  }
  if let start, let end { return (bytes, start..<end) }
  return (bytes, nil)
}
