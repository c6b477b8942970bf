import Values

/// Reports the prefixes in XPaths that no layer's `namespaces` declares.
func checkNamespaces(of prefixes: [Located<String>], _ settings: RequestSettings, into bag: inout DiagnosticBag) {
  if prefixes.isEmpty { return }
  let known = settings.namespaces.entries.filter { $0.value != nil }.map(\.key.text)
  let unreadable = settings.namespaces.unreadableKeys
  for prefix in prefixes where prefix.value != "xml" && !unreadable.contains(prefix.value) {
    if known.contains(prefix.value) { continue }
    bag.error(
      .invalidName, "the prefix `\(prefix.value)` stands for no namespace", at: prefix.range,
      help: suggestion(prefix.value, among: known)
        ?? "write `namespaces: {\(prefix.value): …}` beside `expect`, or under `defaults`, with the namespace's URI")
  }
}
