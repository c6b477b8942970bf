import RequestSpecs
import Values
import YAMLNodes

/// A spec with its requests by what they send.
struct UpdatedSpec {
  /// A request in the text.
  struct Request {
    let path: [YAMLEditor.Step]
    let name: String?
    /// The part of the specs in which its name is unique: a file of boundaries repeats requests of the specs.
    let scope: String
    let call: RequestCall
    /// The method and the URL as written.
    let label: String
  }

  let path: String
  var editor: YAMLEditor
  let requests: [Request]

  /// Nil for a file that is neither a spec nor a project file, and with errors in the bag for one that isn't valid.
  init?(path: String, bytes: [UInt8], name: String? = nil, into bag: inout DiagnosticBag) {
    let errors = bag.errorCount
    let isProject = isProjectName(path)
    guard let file = LoadedFile.read(bytes: bytes, path: name ?? path, asProject: isProject, into: &bag),
      bag.errorCount == errors, file.foreignDescription == nil,
      let editor = YAMLEditor(bytes: bytes, name: name ?? path, into: &bag)
    else { return nil }
    (self.path, self.editor) = (path, editor)
    guard case .spec(let spec) = file else {
      requests = []
      return
    }
    let paths = Dictionary(
      editor.document.requestPaths.map { ($0.node.range.bytes.lowerBound, $0.path) }, uniquingKeysWith: { $1 })
    let owner = path
    let isOfBoundaries = path.hasSuffix(OpenAPICopies.endOfBoundaries)
    requests = spec.allRequests.compactMap { request in
      guard let path = paths[request.range.bytes.lowerBound], let url = request.settings.url.value?.range.text else {
        return nil
      }
      let node = editor.value(at: path)
      let name = node?["name"]?.scalar?.text
      let plain = url.trimming { $0 == "\"" || $0 == "'" }
      guard let method = request.settings.knownMethod?.rawValue else {
        // Those of boundaries with several methods are known by their names.
        guard isOfBoundaries, let name else { return nil }
        let scope = OpenAPICopies.endOfBoundaries
        let call = RequestCall("", url, part: scope + RequestCall.part(of: name))
        return Request(path: path, name: name, scope: scope, call: call, label: name)
      }
      // Each file of boundaries has its own requests that make what the rows need.
      let scope = !isOfBoundaries ? "" : node?["each"] == nil ? owner : OpenAPICopies.endOfBoundaries
      let part = isOfBoundaries ? scope + RequestCall.part(of: name ?? "") : nil
      return Request(
        path: path, name: name, scope: scope, call: RequestCall(method, url, part: part), label: "\(method) \(plain)")
    }
  }

  /// The lines of a request, with the comments above it and without the empty lines around it.
  func lines(of request: Request) -> [Substring] {
    guard let node = editor.value(at: request.path) else { return [] }
    let source = node.range.source
    func line(_ index: Int) -> Substring { source.text(in: source.lineBytes(index))[...] }
    var first = source.lineIndex(at: node.range.bytes.lowerBound)
    let last = source.lineIndex(at: max(node.range.bytes.lowerBound, node.range.bytes.upperBound - 1))
    while first > 0, line(first - 1).drop(while: { $0 == " " }).first == "#" { first -= 1 }
    return (first...last).map(line)
  }

  /// The line of a path, counted from 1.
  func line(of path: [YAMLEditor.Step]) -> Int? { editor.value(at: path)?.range.start.line }
}

/// A method and a path, as they are written.
struct RequestCall: Hashable {
  let method: String
  private let segments: [Substring]
  /// The part of an operation whose boundaries it has, such as `query limit`; nil for the operation itself.
  private let part: String?

  /// - Parameter url: a URL or a path; templates in it are parts of it.
  init(_ method: String, _ url: String, part: String? = nil) {
    self.method = method
    self.part = part
    let plain = url.trimming { $0 == "\"" || $0 == "'" }.prefix { $0 != "?" && $0 != "#" }
    let rest = plain.firstRange(of: "://").map { plain[$0.upperBound...] } ?? plain[...]
    // A host, or the variable that stands for it.
    let path = rest.first == "/" ? rest : rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    segments = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "{}" : $0 }
  }

  /// The part that the name of a request of boundaries ends with.
  static func part(of name: String) -> Substring {
    name[(name.ranges(of: ": ").last?.upperBound ?? name.startIndex)...]
  }

  /// The number of segments that another call has in common with this one; nil if it calls something else.
  ///
  /// The other one may begin with the path of the server.
  func likeness(to other: RequestCall) -> Int? {
    guard method == other.method, part == other.part, segments.count <= other.segments.count else { return nil }
    var equal = 0
    for (own, theirs) in zip(segments.dropFirst(), other.segments.suffix(segments.count).dropFirst()) {
      if own == theirs { equal += 1 } else if own != "{}", !own.contains("{") { return nil }
    }
    return equal
  }
}

extension YAMLNode {
  /// The requests of a spec's document, wherever specs have them, in running order.
  var requestPaths: [(path: [YAMLEditor.Step], node: YAMLNode)] {
    if let items { return items.enumerated().map { ([.item($0.offset)], $0.element) } }
    var found: [(path: [YAMLEditor.Step], node: YAMLNode)] = self["url"] == nil ? [] : [([], self)]
    for key in ["setup", "requests", "flows", "teardown"] {
      for (index, item) in (self[key]?.items ?? []).enumerated() {
        let place: [YAMLEditor.Step] = [.key(key), .item(index)]
        found += key == "flows" ? item.requestPaths.map { (place + $0.path, $0.node) } : [(place, item)]
      }
    }
    return found
  }
}

extension [YAMLEditor.Step] {
  /// Returns whether a place is before another one of the same document.
  func isBefore(_ other: [YAMLEditor.Step]) -> Bool {
    let stages = ["setup": 0, "requests": 1, "flows": 1, "teardown": 2]
    for (one, two) in zip(self, other) where one != two {
      switch (one, two) {
      case (.item(let one), .item(let two)): return one < two
      case (.key(let one), .key(let two)): return stages[one, default: 1] < stages[two, default: 1]
      default: return false
      }
    }
    return count < other.count
  }

  var isTeardown: Bool { contains(.key("teardown")) }

  /// The place of an item that follows, the next one by 0.
  func item(behind number: Int) -> [YAMLEditor.Step] {
    guard case .item(let own)? = last else { return self }
    return dropLast() + [.item(own + 1 + number)]
  }

  /// The place after the removal of an item elsewhere in the document.
  func withoutItem(at removed: [YAMLEditor.Step]) -> [YAMLEditor.Step] {
    self == removed ? self : withItems(-1, insertedAt: removed)
  }

  /// The place after the insertion of items before it or elsewhere in the document.
  func withItems(_ number: Int, insertedAt first: [YAMLEditor.Step]) -> [YAMLEditor.Step] {
    let depth = first.count - 1
    guard count > depth, prefix(depth) == first.prefix(depth), case .item(let own) = self[depth],
      case .item(let other)? = first.last, other <= own
    else { return self }
    var place = self
    place[depth] = .item(own + number)
    return place
  }
}
