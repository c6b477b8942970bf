import Cryptography
import DocumentQueries
import Values

/// The comparable content of a body.
package enum SnapshotContent: Sendable {
  case json(Value)
  case text(String)
  /// The size and the hash.
  case binary(Value)

  var value: Value {
    switch self {
    case .json(let value), .binary(let value): value
    case .text(let text): .text(text)
    }
  }

  /// The content's kind for messages.
  var phrase: String {
    switch self {
    case .json: "JSON"
    case .text: "text"
    case .binary: "neither JSON nor text"
    }
  }

  /// Reads the content of a file; throws if it isn't of that kind.
  init(stored bytes: [UInt8], as kind: SnapshotKind, ignoring paths: [JSONPath]) throws(SnapshotProblem) {
    guard kind == .json else {
      let text = String(decoding: bytes, as: UTF8.self)
      self = kind.isText ? .text(text) : .binary(BinaryFacts.value(of: text))
      return
    }
    do {
      let document = try JSONDocument(parsing: bytes)
      if paths.isEmpty {
        self = .json(document.root.value)
      } else {
        var omission = try JSONOmission(paths, in: document)
        // A value that a filter no longer selects was marked when it was stored.
        omission.add(stringsEqualTo: SnapshotBody.ignoredMark)
        self = .json(omission.value(marker: SnapshotBody.ignored, keepsMembers: false))
      }
    } catch let error as JSONParseError {
      throw SnapshotProblem(
        "the file is not JSON (line \(error.line), column \(error.column): \(error.message))",
        help: "fix the file, or store it anew with --update-snapshots")
    } catch let error as JSONPathError {
      throw SnapshotProblem(error.message, help: error.help)
    } catch {
      throw SnapshotProblem("\(error)")
    }
  }
}

/// The reason why a snapshot cannot be compared or stored.
package struct SnapshotProblem: Error, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// The stored facts about bytes that aren't text: lines such as `size: 12`.
enum BinaryFacts {
  static func text(of bytes: [UInt8]) -> String {
    "size: \(bytes.count)\nsha256: \(hexEncoded(DigestAlgorithm.sha256.digest(of: bytes)))\n"
  }

  static func value(of text: String) -> Value {
    let members = text.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      return (String(parts[0]), Number(parsing: String(value)).map { .number($0) } ?? Value.text(String(value)))
    }
    return .mapping(Mapping(members))
  }
}
