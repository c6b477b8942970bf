import HTTPSemantics
import Values
import YAMLNodes

/// `download` while it is read.
struct DownloadDraft {
  var to: Field<FileReference>?
  var resume: Field<Bool>?
  var overwrite: Field<Bool>?
  var createDirectories: Field<Bool>?
  var sha256: Field<[UInt8]>?
  var md5: Field<[UInt8]>?
  var length: Field<Int64>?
  var unzip: Field<FileReference>?
  var parallel: Field<Int>?

  static let keys = Keys<DownloadDraft>([
    Key(
      "to", "a file, or a directory with a slash at its end", synonyms: "path file output directory",
      .field(.filePath)
    ) { $0.to = $1 },
    Key("resume", "`true` continues where an earlier run ended", synonyms: "continue", .field(.boolean)) {
      $0.resume = $1
    },
    Key("overwrite", "`false` keeps an existing file", .field(.boolean)) { $0.overwrite = $1 },
    Key(
      "create_directories", "`true` creates missing directories", synonyms: "mkdir create_dirs",
      .field(.boolean)
    ) { $0.createDirectories = $1 },
    Key("sha256", "the file's digest, in hexadecimal", .field(.hexDigest(bytes: 32))) { $0.sha256 = $1 },
    Key("md5", "the file's digest, in hexadecimal", .field(.hexDigest(bytes: 16))) { $0.md5 = $1 },
    Key("length", "the file's size", synonyms: "size bytes", .field(.size)) { $0.length = $1 },
    Key("unzip", "the directory that an archive is unpacked into", synonyms: "extract", .field(.filePath)) {
      $0.unzip = $1
    },
    Key(
      "parallel", "how many ranges are fetched in parallel", synonyms: "connections", .field(.integer(1...16))
    ) { $0.parallel = $1 },
  ])
}

extension SpecReader {
  mutating func download(_ node: YAMLNode) -> DownloadSpec? {
    if node.members == nil {
      return field(node, .filePath).map { DownloadSpec(range: node.range, to: $0) }
    }
    var draft = DownloadDraft()
    let isSound = visit(node, as: "`download`", keys: DownloadDraft.keys, into: &draft)
    guard let to = draft.to else {
      if isSound {
        bag.error(
          .missingKey, "`download` needs `to`", at: node.range.firstLine,
          help: "name a file, or a directory with a slash at its end")
      }
      return nil
    }
    var spec = DownloadSpec(range: node.range, to: to)
    (spec.resume, spec.overwrite, spec.createDirectories) = (draft.resume, draft.overwrite, draft.createDirectories)
    (spec.sha256, spec.md5, spec.length) = (draft.sha256, draft.md5, draft.length)
    (spec.unzip, spec.parallel) = (draft.unzip, draft.parallel)
    return spec
  }
}

extension ValueDecoder where Output == [UInt8] {
  /// A digest in the form that tools such as sha256sum print.
  fileprivate static func hexDigest(bytes count: Int) -> ValueDecoder {
    ValueDecoder("\(count * 2) hexadecimal digits", .pattern("^[0-9a-fA-F]{\(count * 2)}$")) {
      value throws(DecodingProblem) in
      switch value {
      case .text(let text):
        let digits = Array(text.string.utf8)
        let values = digits.compactMap(hexDigitValue)
        guard values.count == digits.count, digits.count == count * 2 else {
          throw DecodingProblem(
            .wrongType, "expected \(count * 2) hexadecimal digits, found \(digits.count) characters",
            help: "write the digest as sha256sum or md5sum prints it")
        }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
      case .data(let data) where data.bytes.count == count: return data.bytes
      case .number(let number) where !number.isSecret:
        throw DecodingProblem(.wrongType, "a digest is text, found a number", help: "quote it: \"\(number.lexeme)\"")
      default: return nil
      }
    }
  }
}
