import Diagnostics
import HTTPMessages
import URLs
import Values
import YAMLNodes

private let downloadKeys = KeyTable(
  known: ["to", "resume", "overwrite", "create_directories", "sha256", "md5", "length", "unzip", "parallel"],
  synonyms: [
    "path": "to", "file": "to", "output": "to", "directory": "to", "mkdir": "create_directories",
    "create_dirs": "create_directories", "size": "length", "bytes": "length", "extract": "unzip",
    "connections": "parallel", "continue": "resume",
  ])

extension SpecReader {
  mutating func download(_ node: YAMLNode) -> Setting<DownloadSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    if node.members == nil {
      return field(node, .filePath).map { .given(DownloadSpec(range: node.range, to: $0)) } ?? .inherited
    }
    let errorsBefore = bag.errorCount
    var to: Field<FileReference>?
    // What stands here is filled in once it is known where the file goes.
    var options: [(inout DownloadSpec) -> Void] = []
    visit(node, as: "`download`", keys: downloadKeys) { reader, member in
      let value = member.value
      switch member.key {
      case "to": to = reader.field(value, .filePath)
      case "sha256": if let field = reader.field(value, .hexDigest(bytes: 32)) { options.append { $0.sha256 = field } }
      case "md5": if let field = reader.field(value, .hexDigest(bytes: 16)) { options.append { $0.md5 = field } }
      case "length": if let field = reader.field(value, .size) { options.append { $0.length = field } }
      case "unzip": if let field = reader.field(value, .filePath) { options.append { $0.unzip = field } }
      case "parallel": if let field = reader.field(value, .integer(1...16)) { options.append { $0.parallel = field } }
      default:
        guard let field = reader.field(value, .boolean) else { return }
        switch member.key {
        case "resume": options.append { $0.resume = field }
        case "overwrite": options.append { $0.overwrite = field }
        default: options.append { $0.createDirectories = field }
        }
      }
    }
    guard let to else {
      if bag.errorCount == errorsBefore, !node.hasError {
        bag.error(
          "`download` needs `to`", at: node.range.firstLine,
          help: "name a file, or a directory with a slash at its end")
      }
      return .inherited
    }
    var spec = DownloadSpec(range: node.range, to: to)
    for option in options { option(&spec) }
    return .given(spec)
  }
}

extension ValueDecoder where Output == [UInt8] {
  /// A digest as tools such as sha256sum print it.
  fileprivate static func hexDigest(bytes count: Int) -> ValueDecoder {
    ValueDecoder("\(count * 2) hexadecimal digits", .pattern("^[0-9a-fA-F]{\(count * 2)}$")) {
      value throws(DecodingProblem) in
      switch value {
      case .text(let text):
        let digits = Array(text.string.utf8)
        let values = digits.compactMap(hexDigitValue)
        guard values.count == digits.count, digits.count == count * 2 else {
          throw DecodingProblem(
            "expected \(count * 2) hexadecimal digits, found \(digits.count) characters",
            help: "write the digest as sha256sum or md5sum prints it")
        }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
      case .data(let data) where data.bytes.count == count: return data.bytes
      case .number(let number) where !number.isSecret:
        throw DecodingProblem("a digest is text, found a number", help: "quote it: \"\(number.lexeme)\"")
      default: return nil
      }
    }
  }
}
