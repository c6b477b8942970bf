import APIContracts
import DocumentQueries
import Matching
import RequestSpecs
import SpecExecution
import Values

extension ExpectedResponse {
  /// Gives what is captured: a new value, unless one is expected.
  mutating func take(_ capture: CaptureSpec, as name: String) {
    guard let source = capture.sources.first else { return }
    let number = words.number(of: name)
    let word = TextPattern.word(number)
    if case .value = source.subject { return }
    given.append(number)
    let text: String
    if let regex = source.extraction?.regex {
      guard let pattern = try? regex.resolve(in: scope).pattern,
        let made = PatternExample.text(matching: pattern, with: word)
      else {
        return missing.append("capture \(name)")
      }
      text = made
    } else {
      text = word
    }
    switch source.subject {
    case .json(let path):
      guard let steps = (try? path.resolve(in: scope))?.steps else { return missing.append("capture \(name)") }
      var json = json ?? .open
      if identifier == nil, steps.last.isIdentifier { identifier = number }
      json.change(steps[...]) { part in
        switch part {
        case .open:
          part = .value(.text(Text(text)))
          if text == word { words.note(steps.last.isIdentifier ? .integer : .string, of: number) }
        case .made(let value):
          guard let kind = value.identifierKind else { return }
          words.note(kind, of: number)
          part = .value(.text(Text(text)))
        case .value, .list, .object: break
        }
      }
      self.json = json
    case .header(let header):
      guard let header = try? header.resolve(in: scope).string else { return missing.append("capture \(name)") }
      if capture.yieldsURL || equalsIgnoringCase(header, "location"), text == word {
        let path = "\(path)/\(TextPattern.word(identifier ?? number))"
        words.note(path: path, of: number)
        setHeader(header, .value(.text(Text(path))))
      } else if case .open = self.header(header) {
        setHeader(header, .value(.text(Text(equalsIgnoringCase(header, "etag") ? "\"\(text)\"" : text))))
      }
    case .cookie(let cookie, .value):
      guard let cookie = try? cookie.resolve(in: scope).string else { return missing.append("capture \(name)") }
      headers.append(("Set-Cookie", "\(cookie)=\(text); Path=/"))
    case .body: if case .open = body { body = .value(.text(Text(text))) }
    default: missing.append("capture \(name)")
    }
  }
}

extension Value {
  /// The kind of identifiers like this value; nil for one that identifies nothing.
  fileprivate var identifierKind: MatchKind? {
    switch self {
    case .number(let number): number.isInteger ? .integer : .number
    case .text(let text):
      if text.string.contains("://") {
        .url
      } else {
        hasForm(.uuid, text.string) ? .uuid : .string
      }
    default: nil
    }
  }
}

extension CaptureSpec {
  var isOfHeader: Bool { if case .header? = sources.first?.subject { true } else { false } }
}

extension JSONPath.Step? {
  /// Indicates whether it leads to what is usually a number.
  fileprivate var isIdentifier: Bool {
    if case .name(let name)? = self { name.lowercased().hasSuffix("id") } else { false }
  }
}

extension PatternExample {
  /// A text that a pattern matches, with a word for its first group, or for the whole.
  fileprivate static func text(matching pattern: String, with word: String) -> String? {
    guard let open = pattern.firstIndex(of: "("), !pattern[open...].hasPrefix("(?"),
      let close = pattern[open...].firstIndex(of: ")")
    else { return word }
    guard let before = text(matching: String(pattern[..<open])),
      let after = text(matching: String(pattern[pattern.index(after: close)...]))
    else { return nil }
    return before + word + after
  }
}
