import ReqrunKit
import RequestSpecs
import Values

/// The places where specs declare a name or read it, connected where they mean the same value.
struct NamePlaces {
  /// A place in a file, which may be read more than once.
  struct Place: Hashable {
    let path: String
    let bytes: Range<Int>

    init(_ path: String, _ bytes: Range<Int>) { (self.path, self.bytes) = (path, bytes) }
  }

  private let name: String
  private var connected: [Place: Set<Place>] = [:]
  private(set) var sources: [String: SourceText] = [:]
  /// The places that take the name from the environment.
  private(set) var outside: Set<Place> = []

  init(of name: String, in readings: [Reading]) {
    self.name = name
    for reading in readings {
      let specs = reading.inspection.specs
      for spec in specs { addDeclarations(of: spec, among: specs) }
      for use in reading.names.uses where use.reference.name == name || use.reference.member == name {
        guard let origin = use.origin, origin.kind != .row, let place = origin.range else { continue }
        let needs = origin.kind != .need ? [] : specs.flatMap(\.needs).filter { $0.spec.file.path.range == place }
        if use.reference.name == name {
          connect([use.reference.range, needs.first?.spec.name?.range ?? place])
        } else if let member = use.reference.range.member(name) {
          for need in needs { connect([member] + captures(of: need.id, among: specs)) }
        }
      }
    }
  }

  /// All places, in any order.
  var all: some Collection<Place> { connected.keys }

  /// The places that mean the same value as one of them.
  func places(with place: Place) -> Set<Place> {
    var found: Set<Place> = [place]
    var pending = [place]
    while let next = pending.popLast() {
      for other in connected[next] ?? [] where found.insert(other).inserted { pending.append(other) }
    }
    return found
  }

  /// Connects the declarations that templates of a file read alike, and those of files that it runs.
  private mutating func addDeclarations(of spec: LoadedSpec, among specs: [LoadedSpec]) {
    let file = spec.file
    let declared = declarations(of: spec)
    connect(declared)
    for flow in file.flows {
      connect(variables(flow.variables) + captures(in: flow.allRequests) + (flow.isWholeFile ? declared : []))
    }
    for need in spec.needs { connectArguments(need.spec.file, need.id, among: specs) }
    for request in file.allRequests {
      connect(variables(request.variables))
      guard let use = request.use, let id = spec.uses[ObjectIdentifier(request)] else { continue }
      connectArguments(use.file, id, among: specs)
      for taken in use.taken ?? [] {
        if taken.name.value == name { connect([taken.name.range]) }
        if taken.capture.value == name { connect([taken.capture.range] + captures(of: id, among: specs)) }
      }
    }
    for secret in spec.layers.flatMap(\.secrets) where secret.name == name && secret.value == nil {
      if let place = place(secret.range) { outside.insert(place) }
    }
  }

  /// The declarations of the file and its layers, and its own captures.
  private func declarations(of spec: LoadedSpec) -> [SourceRange] {
    let file = spec.file
    let secrets = spec.layers.flatMap(\.secrets).filter { $0.name == name }.map(\.range)
    let needs = file.needs.compactMap(\.name).filter { $0.value == name }.map(\.range)
    return spec.layers.flatMap { variables($0.variables) } + secrets + needs
      + captures(in: file.setup + file.requests + file.teardown)
  }

  private mutating func connectArguments(_ file: ReusedFile, _ id: SpecID, among specs: [LoadedSpec]) {
    let keys = variables(file.arguments)
    guard !keys.isEmpty, let spec = specs.first(where: { $0.id == id }) else { return }
    connect(keys + spec.layers.flatMap { variables($0.variables) })
  }

  private func captures(of id: SpecID, among specs: [LoadedSpec]) -> [SourceRange] {
    captures(in: specs.first { $0.id == id }?.file.allRequests ?? [])
  }

  private func variables(_ settings: KeyedSettings<ValueTemplate>) -> [SourceRange] {
    settings.entries.filter { $0.key.text == name }.map(\.key.range)
  }

  private func captures(in requests: [RequestSpec]) -> [SourceRange] {
    requests.flatMap { $0.settings.capture.entries.filter { $0.key.text == name }.map(\.key.range) }
  }

  private mutating func connect(_ ranges: [SourceRange]) {
    let places = ranges.compactMap { place($0) }
    guard let first = places.first else { return }
    connected[first, default: []].formUnion(places)
    for place in places { connected[place, default: []].insert(first) }
  }

  /// The place of the name itself; nil where another name comes out, such as that of a capture that `take` renames.
  private mutating func place(_ range: SourceRange) -> Place? {
    let bytes = range.bytes
    sources[range.source.name] = range.source
    if range.text == name { return Place(range.source.name, bytes) }
    guard range.text == "\"\(name)\"" || range.text == "'\(name)'" else { return nil }
    return Place(range.source.name, bytes.lowerBound + 1..<bytes.upperBound - 1)
  }
}

extension SourceRange {
  /// The place of a member behind a name, as `.member` or `["member"]`.
  fileprivate func member(_ name: String) -> SourceRange? {
    let signs = Set(" .[\"'".utf8)
    let utf8 = source.utf8
    let start = utf8[bytes.upperBound...].firstIndex { !signs.contains($0) } ?? utf8.count
    return utf8[start...].starts(with: name.utf8) ? moved(to: start..<start + name.utf8.count) : nil
  }
}
