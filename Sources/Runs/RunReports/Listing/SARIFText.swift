import Values

extension ListingReport {
  /// The diagnostics in the Static Analysis Results Interchange Format (SARIF 2.1.0).
  ///
  /// - Parameters:
  ///   - version: the version of reqrun.
  ///   - summary: the meaning of a code in one sentence.
  package func sarif(version: String, summary: (DiagnosticCode) -> String?) -> [UInt8] {
    let codes = Set(problems.compactMap(\.diagnostic.code))
    var line = JSONLine()
    line.beginObject()
    line.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    line.member("version", "2.1.0")
    line.list("runs", [version]) { version, line in
      line.next("tool")
      line.object { line in
        line.next("driver")
        line.object {
          $0.member("name", "reqrun")
          $0.member("version", version)
          $0.list("rules", DiagnosticCode.allCases.filter(codes.contains)) { code, line in
            line.member("id", code.rawValue)
            guard let summary = summary(code) else { return }
            line.next("shortDescription")
            line.object { $0.member("text", summary) }
          }
        }
      }
      // Columns are characters as Unicode has them.
      line.member("columnKind", "unicodeCodePoints")
      line.list("results", problems) { $0.diagnostic.writeResult($0.edits, to: &$1) }
    }
    line.endObject()
    return line.bytes + [0x0A]
  }
}

extension Diagnostic {
  fileprivate func writeResult(_ edits: [TextEdit], to line: inout JSONLine) {
    if let code { line.member("ruleId", code.rawValue) }
    line.member("level", severity.rawValue)
    line.next("message")
    line.object { $0.member("text", message + (help.map { "\n\($0)" } ?? "")) }
    if let range { line.list("locations", [range]) { $0.writeLocation(nil, to: &$1) } }
    let places = notes.filter { $0.range != nil }
    if !places.isEmpty { line.list("relatedLocations", places) { $0.range?.writeLocation($0.message, to: &$1) } }
    if edits.isEmpty { return }
    line.list("fixes", edits) { edit, line in
      line.next("description")
      line.object { $0.member("text", help ?? "") }
      line.list("artifactChanges", [edit]) { edit, line in
        edit.range.writeArtifact(to: &line)
        line.list("replacements", [edit]) { edit, line in
          line.next("deletedRegion")
          edit.range.writeRegion(to: &line)
          line.next("insertedContent")
          line.object { $0.member("text", edit.text) }
        }
      }
    }
  }
}

extension SourceRange {
  fileprivate func writeLocation(_ message: String?, to line: inout JSONLine) {
    line.next("physicalLocation")
    line.object {
      writeArtifact(to: &$0)
      $0.next("region")
      writeRegion(to: &$0)
    }
    guard let message else { return }
    line.next("message")
    line.object { $0.member("text", message) }
  }

  fileprivate func writeArtifact(to line: inout JSONLine) {
    line.next("artifactLocation")
    let path = percentEncoded(concealingSecrets(in: source.name), allowed: .pathSegment.inserting("/"))
    line.object { $0.member("uri", path) }
  }

  fileprivate func writeRegion(to line: inout JSONLine) {
    let (start, end) = (source.scalarPosition(at: bytes.lowerBound), source.scalarPosition(at: bytes.upperBound))
    line.object {
      $0.append(start.line, as: "startLine")
      $0.append(start.column, as: "startColumn")
      $0.append(end.line, as: "endLine")
      $0.append(end.column, as: "endColumn")
      $0.append(bytes.lowerBound, as: "byteOffset")
      $0.append(bytes.count, as: "byteLength")
    }
  }
}

extension JSONLine {
  fileprivate mutating func member(_ name: String, _ value: String) {
    next(name)
    text(value)
  }

  fileprivate mutating func object(_ write: (inout JSONLine) -> Void) {
    beginObject()
    write(&self)
    endObject()
  }

  /// A member that is a list of objects.
  fileprivate mutating func list<Item>(_ name: String, _ items: [Item], _ write: (Item, inout JSONLine) -> Void) {
    next(name)
    beginList()
    for item in items {
      next()
      object { write(item, &$0) }
    }
    endList()
  }
}
