import Values

/// Reads YAML files into nodes.
package enum YAMLReader {
  /// The maximum size of a file.
  static let sizeLimit = 256 << 20
  /// The maximum depth of collections, with aliases expanded.
  static let depthLimit = 64
  /// The maximum number of nodes that aliases and merge keys add.
  static let aliasBudget = 1_000_000
  /// The maximum number of nodes: more would take gigabytes.
  static let nodeLimit = 5_000_000
  /// The number of errors of one file that are shown; further ones are counted.
  static let errorLimit = 50
  /// The number of errors that are kept to choose the first ones from.
  static let collectedErrorLimit = 10_000

  /// Reads one document. The source is UTF-8 with the given name; nil root for an empty file, or if a syntax error ends
  /// the reading.
  package static func read(
    bytes: [UInt8], name: String, into bag: inout DiagnosticBag
  ) -> (source: SourceText, root: YAMLNode?) {
    let (source, isReadable) = sourceText(bytes, name: name, into: &bag)
    guard isReadable else { return (source, nil) }
    let (root, composer) = compose(source, broken: BrokenPieces(source))
    bag.add(contentsOf: composer.report)
    return (source, root)
  }

  /// Reads one document, and continues after syntax errors without the parts of the file that contain them.
  ///
  /// - Parameter mayBeEmpty: whether an empty file is allowed.
  /// - Returns: also the parts that are missing.
  package static func readPieces(
    bytes: [UInt8], name: String, mayBeEmpty: Bool, into bag: inout DiagnosticBag
  ) -> (source: SourceText, root: YAMLNode?, missing: BrokenPieces) {
    let (source, isReadable) = sourceText(bytes, name: name, into: &bag)
    var broken = BrokenPieces(source)
    guard isReadable else { return (source, nil, broken) }
    var errors: [Diagnostic] = []
    while true {
      let (root, composer) = compose(source, broken: broken)
      if root == nil, let error = composer.syntaxError,
        let removal = broken.takeOut(at: error.range?.bytes.lowerBound ?? 0)
      {
        if removal == .new { errors.append(error) }
        continue
      }
      if mayBeEmpty, composer.isEmpty { return (source, nil, broken) }
      if root != nil, let consequence = composer.diagnostics.first(where: { broken.mayCause($0) }),
        broken.takeOut(at: consequence.range?.bytes.lowerBound ?? 0) != nil
      {
        continue
      }
      composer.diagnostics += errors
      bag.add(contentsOf: composer.report)
      return (source, broken.isEmpty || root?.members != nil ? root : nil, broken)
    }
  }

  /// The text of a file, and whether its characters are valid in YAML.
  private static func sourceText(
    _ bytes: [UInt8], name: String, into bag: inout DiagnosticBag
  ) -> (SourceText, isReadable: Bool) {
    guard bytes.count <= sizeLimit else {
      let source = SourceText(name: name, utf8: [])
      bag.error(
        .limitExceeded, "the file is larger than \(sizeLimit >> 20) MiB", at: SourceRange(source, 0..<0),
        help: "keep large bodies in files of their own, as in `body: {file: …}`")
      return (source, false)
    }
    let decoded = decodedUTF8(bytes)
    let source = SourceText(name: name, utf8: decoded.utf8)
    var problems = decoded.problems
    if problems.isEmpty { problems = characterProblems(source.utf8) }
    for problem in problems {
      bag.error(.textEncoding, problem.message, at: SourceRange(source, problem.bytes), help: problem.help)
    }
    return (source, problems.isEmpty)
  }

  private static func compose(_ source: SourceText, broken: BrokenPieces) -> (YAMLNode?, YAMLComposer) {
    let utf8 = broken.takenOut(of: source.utf8)
    var gaps = TagGaps(utf8)
    var composer = YAMLComposer(source: source, utf8: utf8, gaps: gaps, broken: broken)
    var root = composer.composeFile()
    if !composer.wrongGaps.isEmpty {
      gaps.remove(composer.wrongGaps)
      composer = YAMLComposer(source: source, utf8: utf8, gaps: gaps, broken: broken)
      root = composer.composeFile()
    }
    return (root, composer)
  }

  /// The comment that follows a plain scalar on its last line, from its `#`: YAML silently cuts `a #b` there.
  package static func trailingCommentCut(of node: YAMLNode) -> SourceRange? {
    guard node.scalar?.style == .plain else { return nil }
    let source = node.range.source
    let utf8 = source.utf8
    var position = node.range.bytes.upperBound
    guard position < utf8.count, isBlank(utf8[position]) else { return nil }
    while position < utf8.count, isBlank(utf8[position]) { position += 1 }
    guard position < utf8.count, utf8[position] == UInt8(ascii: "#") else { return nil }
    let line = source.lineBytes(source.lineIndex(at: position))
    return SourceRange(source, position..<max(position + 1, line.upperBound))
  }
}
