import Values

/// The keys that a mapping of the format has.
final class KeyTable: Sendable {
  typealias Words = [String: String]

  let known: [String]
  private let places: NameIndex
  /// The keys to suggest if all would be too many.
  let usual: [String]
  /// An example of such a mapping, such as `{size: 1MiB}`.
  let shape: String?
  private let makeSynonyms: @Sendable () -> Words
  private let makeAdvice: @Sendable () -> Words

  /// The words that people try are only computed for invalid keys.
  init(
    known: [String], synonyms: @autoclosure @escaping @Sendable () -> Words = [:],
    advice: @autoclosure @escaping @Sendable () -> Words = [:], usual: [String] = [], shape: String? = nil
  ) {
    self.known = known
    places = NameIndex(known)
    self.usual = usual
    self.shape = shape
    makeSynonyms = synonyms
    makeAdvice = advice
  }

  /// Words that people try here, and the keys that they mean.
  var synonyms: Words { makeSynonyms() }
  /// Words that people try here, with advice.
  var advice: Words { makeAdvice() }

  func contains(_ key: String) -> Bool { places[key] != nil }

  /// The index of a key in ``known``.
  func index(of key: String) -> Int? { places[key] }

  /// The key that another one looks like, possibly after a dash.
  func name(behind key: String) -> String? {
    let plain = key.hasPrefix("-") ? String(key.dropFirst()) : plainLooking(key)
    return plain != key && known.contains(plain) ? plain : nil
  }

  /// The help that lists the keys: all if they are few, otherwise the usual ones.
  var list: String {
    guard known.count > 8 else { return "the keys here are \(known.joined(separator: ", "))" }
    return "the usual keys here are \((usual.isEmpty ? known : usual).prefix(8).joined(separator: ", ")); "
      + "`reqrun help \(known.contains("status") ? "expect" : "key-index")` has all"
  }

  /// The help for an unknown key: the nearest of many keys.
  func help(for key: String) -> String {
    guard known.count > 8 else { return list }
    let parts = key.lowercased().split { !$0.isLetter }.filter { $0.count > 3 }.map(String.init)
    let near = known.filter { name in parts.contains { name.contains($0) || name.count > 3 && $0.contains(name) } }
    return near.isEmpty ? list : "did you mean " + near.prefix(3).map { "`\($0)`" }.joined(separator: " or ") + "?"
  }
}
