/// The values that variables have anywhere, some of which are hosts.
struct HostValues {
  private var values: [String: [String]] = [:]

  mutating func add(_ value: String, of variable: String) {
    if !value.isEmpty { values[variable, default: []].append(value) }
  }

  /// Returns whether a variable holds a host without a scheme.
  func lackScheme(_ variable: String) -> Bool {
    values[variable]?.allSatisfy { !$0.contains("://") && !$0.hasPrefix("{{") } ?? false
  }
}
