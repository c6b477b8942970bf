/// Character references of HTML.
enum HTMLReferences {
  /// The character of each name of HTML 4 (section 24), and `apos`.
  static let named: [String: Unicode.Scalar] = {
    var result: [String: Unicode.Scalar] = ["apos": "'"]
    // Each run begins with a code point; the names are those of it and the following ones.
    let text = String(decoding: PackageResources.html_references_txt, as: UTF8.self)
    for run in text.split(separator: ";") {
      let parts = run.split(whereSeparator: { $0 == " " || $0 == "\n" })
      guard let first = parts.first.flatMap({ UInt32($0, radix: 16) }) else { continue }
      for (offset, name) in parts.dropFirst().enumerated() {
        result[String(name)] = Unicode.Scalar(first + UInt32(offset))
      }
    }
    return result
  }()
}
