import RequestSpecs

/// Which requests of a file run: by tag, name and line, with those whose captures they need.
struct Selection {
  let options: PlanningOptions
  let lines: [Int]

  private var selectsAll: Bool {
    options.tags.isEmpty && options.excludedTags.isEmpty && options.namePattern == nil && lines.isEmpty
  }

  /// Setup and teardown run whatever is selected, but only where something is.
  func select(_ requests: [MergedRequest], names: NameTable) -> [(request: MergedRequest, isSelected: Bool)] {
    if selectsAll { return requests.map { ($0, $0.stage == .requests) } }
    let chosen = Set(requests.indices.filter { requests[$0].stage == .requests && matches(requests[$0]) })
    guard !chosen.isEmpty else { return [] }
    var needed = chosen
    for index in chosen { needed.formUnion(names.suppliers(of: requests[index], at: index)) }
    return requests.indices.compactMap { index in
      let request = requests[index]
      guard request.stage != .requests || needed.contains(index) else { return nil }
      return (request, chosen.contains(index))
    }
  }

  private func matches(_ request: MergedRequest) -> Bool {
    if !options.tags.isEmpty, !request.tags.contains(where: options.tags.contains) { return false }
    if request.tags.contains(where: options.excludedTags.contains) { return false }
    if let pattern = options.namePattern {
      guard let name = request.spec.name?.literal?.string ?? request.settings.url.value?.literal?.string,
        nameMatches(name, pattern: pattern)
      else { return false }
    }
    if !lines.isEmpty {
      let first = request.spec.range.start.line
      let last = request.spec.range.end.line
      guard lines.contains(where: { $0 >= first && $0 <= last }) else { return false }
    }
    return true
  }
}

/// Whether a name holds the pattern, without regard to case; `*` stands for any text and then all of the name counts.
func nameMatches(_ name: String, pattern: String) -> Bool {
  let name = name.lowercased()
  let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
  guard parts.count > 1 else { return name.contains(pattern.lowercased()) }
  var rest = name[...]
  for (index, part) in parts.enumerated() {
    if index == 0 {
      guard rest.hasPrefix(part) else { return false }
      rest = rest.dropFirst(part.count)
    } else if index == parts.count - 1 {
      return rest.count >= part.count && rest.hasSuffix(part)
    } else if let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.firstRange(of: part) {
      rest = rest[range.upperBound...]
    } else {
      return false
    }
  }
  return true
}
