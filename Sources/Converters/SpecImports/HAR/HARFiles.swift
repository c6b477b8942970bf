import Values

/// The files of a recording.
struct HARFiles {
  private var exchanges: [HARExchange]
  /// The number of requests until the login, which stand in `setup`.
  private var setupCount = 0

  init(_ exchanges: [HARExchange]) {
    self.exchanges = exchanges
    // What is written before the login is a test of its own.
    if let login = exchanges.firstIndex(where: \.isLogin), login + 1 < exchanges.count,
      exchanges[..<login].allSatisfy({ ["GET", "HEAD"].contains($0.method) })
    {
      setupCount = login + 1
      for index in 0...login { self.exchanges[index].request.isSetup = true }
    }
  }

  /// One file with all requests.
  var whole: ImportedFile {
    var file = ImportedFile(path: [])
    file.requests = exchanges.map(\.request)
    return file
  }

  /// A file for each first segment of paths, named after it, each with the login; one file if there is one segment.
  /// Requests that read what others capture, or send their cookies, are in the same one.
  var byPath: [ImportedFile] {
    let rest = exchanges[setupCount...]
    var segments: [[String]] = rest.map { exchange in
      exchange.url.path.split(separator: "/").map { HARNames.withoutFormat(String($0)) }.filter {
        !HARNames.isVersion($0) && !$0.isEmpty
      }
    }
    while segments.count > 1, let first = segments[0].first, segments.allSatisfy({ $0.first == first && $0.count > 1 })
    {
      segments = segments.map { Array($0.dropFirst()) }
    }
    let words = segments.map { $0.first.flatMap { HARNames.isIdentifying($0) ? nil : $0 } ?? "root" }
    var groups = JoinedGroups(words)
    var captures: [String: Int] = [:]
    var cookies: [String: Int] = [:]
    let known = exchanges[..<setupCount].reduce(into: Set<String>()) { $0.formUnion($1.setCookies) }
    for (index, exchange) in rest.enumerated() {
      for name in exchange.request.readVariables { captures[name].map { groups.join(words[$0], words[index]) } }
      for name in exchange.sentCookies { cookies[name].map { groups.join(words[$0], words[index]) } }
      for (name, _) in exchange.request.captures { captures[name] = index }
      for name in exchange.setCookies.subtracting(known) { cookies[name] = index }
    }
    var files: [(name: String, file: ImportedFile)] = []
    var places: [String: Int] = [:]
    for (index, exchange) in rest.enumerated() {
      let name = groups.name(of: words[index])
      let place = places[name] ?? files.count
      if place == files.count {
        places[name] = place
        var file = ImportedFile(path: [name])
        file.requests = exchanges[..<setupCount].map(\.request)
        files.append((name, file))
      }
      files[place].file.requests.append(exchange.request)
    }
    return files.count > 1 ? files.map(\.file) : [whole]
  }
}

extension HARExchange {
  /// The names of the cookies that were sent.
  fileprivate var sentCookies: [String] {
    response.requestHeaders.filter { equalsIgnoringCase($0.name, "cookie") }.flatMap { $0.value.split(separator: ";") }
      .map { String($0.prefix { $0 != "=" }).trimmed }
  }
}

/// Groups of names, which are joined step by step.
private struct JoinedGroups {
  private var parents: [String: String] = [:]
  private var order: [String: Int] = [:]

  init(_ names: [String]) {
    for name in names where order[name] == nil { order[name] = order.count }
  }

  /// The first name of a group.
  mutating func name(of member: String) -> String {
    var name = member
    while let parent = parents[name] { name = parent }
    if name != member { parents[member] = name }
    return name
  }

  mutating func join(_ one: String, _ other: String) {
    let (one, other) = (name(of: one), name(of: other))
    if one == other { return }
    let isFirst = order[one, default: 0] < order[other, default: 0]
    parents[isFirst ? other : one] = isFirst ? one : other
  }
}
