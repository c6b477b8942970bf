import Diagnostics
import RequestSpecs

/// Reports the prefixes in XPaths that no layer's `namespaces` declares.
func checkNamespaces(_ settings: RequestSettings, into bag: inout DiagnosticBag) {
  let specs = settings.subjects.compactMap { subject, _ in
    if case .xpath(let spec) = subject { spec } else { nil }
  }
  if specs.allSatisfy(\.prefixes.isEmpty) { return }
  let known = settings.namespaces.entries.filter { $0.value != nil }.map(\.key.text)
  let unreadable = settings.namespaces.unreadableKeys
  for prefix in specs.flatMap(\.prefixes) where prefix.value != "xml" && !unreadable.contains(prefix.value) {
    if known.contains(prefix.value) { continue }
    bag.error(
      "the prefix `\(prefix.value)` stands for no namespace", at: prefix.range,
      help: suggestion(prefix.value, among: known)
        ?? "write `namespaces: {\(prefix.value): …}` beside `expect`, or under `defaults`, with the namespace's URI")
  }
}
