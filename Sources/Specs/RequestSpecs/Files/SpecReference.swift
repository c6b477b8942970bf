/// The tables of the format's reference that are generated from the reader's tables: a header and rows each.
package enum SpecReference {
  package static var subjects: [[String]] {
    let header = ["subject", "is", "such as"]
    return [header]
      + SubjectKey.expected.flatMap { key in
        key.documentation.enumerated().map { index, row in
          [index == 0 ? "`\(key.name)`\(row.part)" : "— \(row.part)", row.type, row.example]
        }
      }
  }

  package static var sources: [[String]] {
    let header = ["source", "takes"]
    return [header]
      + SubjectKey.captured.map { key in
        ["`\(key.sourceName)\(key.needsPart ? ": …" : "")`", key.sourceDocumentation]
      }
  }

  package static var captureKeys: [[String]] {
    let header = ["beside the source", "means"]
    return [header] + CaptureKey.all.map { ["`\($0.name)`", $0.documentation] }
  }

  package static var mockKeys: [[String]] {
    [["key", "means"]] + MockSpec.keys.all.map { ["`\($0.name)`", $0.documentation] }
  }

  package static var projectMockKeys: [[String]] {
    [["key", "means"]] + ProjectMock.keys.all.map { ["`\($0.name)`", $0.documentation] }
  }

  package static var encoding: [[String]] {
    let header = ["key", "values, the default first"]
    return [header] + EncodingSettings.keys.all.map { ["`\($0.name)`", $0.documentation] }
  }
}
