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
  /// A body that isn't known, and like any other.
  case unknown

  init(_ request: ServerRequest) {
    // What is known of others was not compressed.
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

  /// The place where a received body differs, such as `/items/0/sku`; nil if it is like this one.
  func difference(to received: SentBody, _ bindings: inout Bindings) -> String? {
    switch (self, received) {
    case (.unknown, _), (_, .unknown), (.none, .none): return nil
    case (.json(let own), .json(let other)): return own.difference(to: other, at: "", &bindings)
    case (.form(let own), .form(let other)):
      for (own, other) in zip(own, other) {
        guard own.name == other.name else { return own.name }
        if let pattern = own.value, let text = other.value, !TextPattern(pattern).matches(text, &bindings) {
          return own.name
        }
      }
      return own.count == other.count ? nil : "its parameters"
    case (.text(let own), .text(let other)): return TextPattern(own).matches(other, &bindings) ? nil : "its text"
    case (.data(let own), .data(let other)): return own == other ? nil : "its bytes"
    default: return "its form"
    }
  }

  private static let sorted = {
    var style = JSONStyle()
    style.sortsMembers = true
    return style
  }()

  /// A text that only equal bodies have; nil for a body that others may be like.
  var key: String? {
    let text: String
    switch self {
    case .none: return ""
    case .json(let value): text = value.jsonText(SentBody.sorted).string
    case .form(let pairs):
      if pairs.contains(where: { $0.value == nil }) { return nil }
      text = pairs.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    case .text(let own): text = own
    case .data, .unknown: return nil
    }
    return TextPattern.isLiteral(text) ? text : nil
  }
}

extension Value {
  fileprivate func difference(to other: Value, at place: String, _ bindings: inout Bindings) -> String? {
    switch (self, other) {
    case (.mapping(let own), .mapping(let other)):
      let (known, values) = (own.grouped, other.grouped)
      for member in own.members {
        let place = "\(place)/\(member.key.string)"
        guard let value = values[member.key]?.last else { return place }
        if let found = member.value.difference(to: value, at: place, &bindings) { return found }
      }
      return other.members.first { known[$0.key] == nil }.map { "\(place)/\($0.key.string)" }
    case (.list(let own), .list(let other)):
      for (index, pair) in zip(own, other).enumerated() {
        if let found = pair.0.difference(to: pair.1, at: "\(place)/\(index)", &bindings) { return found }
      }
      return own.count == other.count ? nil : "\(place)/\(min(own.count, other.count))"
    case (.text(let own), _) where !TextPattern.isLiteral(own.string):
      return TextPattern(own.string).matches(other.asText.string, &bindings) ? nil : place.isEmpty ? "its text" : place
    default: return self == other ? nil : place.isEmpty ? "its value" : place
    }
  }
}
