import DocumentQueries
import HTTPSemantics
import LocalServer
import Values

/// The body of a request in the form in which bodies are compared.
enum SentBody: Sendable {
  case none
  case json(Value)
  /// The pairs of a form; a file is nil.
  case form([(name: String, value: String?)])
  case text(String)
  case data([UInt8])
  /// A body that the recording lacks: it is like any other.
  case unknown

  init(_ request: ServerRequest) {
    // A recording has what was compressed.
    if request.header("Content-Encoding") != nil {
      self = .unknown
    } else if request.mediaType == "multipart/form-data" {
      let boundary = headerParameter("boundary", of: request.header("Content-Type") ?? "") ?? ""
      self = .form(
        multipartParts(request.body, boundary: boundary).map { part in
          (part.name, part.filename == nil ? String(validating: part.content, as: UTF8.self) : nil)
        })
    } else if request.body.isEmpty {
      self = .none
    } else if let text = String(validating: request.body, as: UTF8.self) {
      self.init(text: text, type: request.mediaType)
    } else {
      self = .data(request.body)
    }
  }

  /// - Parameter type: the media type in lower case, without parameters.
  init(text: String, type: String) {
    if type.contains("json"), let document = try? JSONDocument(parsing: text) {
      self = .json(document.root.value)
    } else if type == "application/x-www-form-urlencoded" {
      self = .form(formPairs(text).map { ($0.name, $0.value) })
    } else {
      self = .text(text)
    }
  }

  /// The place where a received body differs, such as `/items/0/sku`; nil if it is this one, in whose masked parts
  /// anything can stand.
  func difference(to received: SentBody) -> String? {
    switch (self, received) {
    case (.unknown, _), (_, .unknown), (.none, .none): return nil
    case (.json(let own), .json(let other)): return own.difference(to: other, at: "")
    case (.form(let own), .form(let other)):
      for (own, other) in zip(own, other) where own.name != other.name || !isMasked(own.value, like: other.value) {
        return own.name
      }
      return own.count == other.count ? nil : "its parameters"
    case (.text(let own), .text(let other)): return isMasked(own, like: other) ? nil : "its text"
    case (.data(let own), .data(let other)): return own == other ? nil : "its bytes"
    default: return "its form"
    }
  }

  private static let sorted = {
    var style = JSONStyle()
    style.sortsMembers = true
    return style
  }()

  /// A text that only equal bodies have; nil for a body with masked or unknown parts.
  var key: String? {
    switch self {
    case .none: ""
    case .json(let value):
      unmasked(value.jsonText(SentBody.sorted).string)
    case .form(let pairs):
      pairs.contains { $0.value == nil }
        ? nil : unmasked(pairs.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&"))
    case .text(let text): unmasked(text)
    case .data, .unknown: nil
    }
  }
}

/// The text; nil with a masked part.
func unmasked(_ text: String) -> String? { text.contains(Text.mask) ? nil : text }

/// Returns whether a text is one of a recording, in whose masked parts anything can stand.
func isMasked(_ recorded: String, like text: String) -> Bool {
  guard recorded.contains(Text.mask) else { return recorded == text }
  let pieces = recorded.split(separator: Text.mask, omittingEmptySubsequences: false)
  guard var rest = text.hasPrefix(pieces[0]) ? text.dropFirst(pieces[0].count) : nil else { return false }
  for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
    guard let found = rest.firstRange(of: piece) else { return false }
    rest = rest[found.upperBound...]
  }
  return pieces.last.map { rest.hasSuffix($0) } ?? true
}

private func isMasked(_ recorded: String?, like text: String?) -> Bool {
  guard let recorded, let text else { return true }
  return isMasked(recorded, like: text)
}

extension Value {
  fileprivate func difference(to other: Value, at place: String) -> String? {
    switch (self, other) {
    case (.mapping(let own), .mapping(let other)):
      for member in own.members {
        let place = "\(place)/\(member.key.string)"
        guard let value = other[member.key.string] else { return place }
        if let found = member.value.difference(to: value, at: place) { return found }
      }
      return other.members.first { own[$0.key.string] == nil }.map { "\(place)/\($0.key.string)" }
    case (.list(let own), .list(let other)):
      for (index, pair) in zip(own, other).enumerated() {
        if let found = pair.0.difference(to: pair.1, at: "\(place)/\(index)") { return found }
      }
      return own.count == other.count ? nil : "\(place)/\(min(own.count, other.count))"
    case (.text(let own), _) where own.string.contains(Text.mask):
      return isMasked(own.string, like: other.asText.string) ? nil : place.isEmpty ? "its text" : place
    default: return self == other ? nil : place.isEmpty ? "its value" : place
    }
  }
}
