import Values
import YAMLNodes

/// A key of one of the format's mappings, with its reader.
///
/// A class, like the other descriptions of keys: tables return one for each key that is read.
final class Key<Owner>: Sendable {
  let name: String
  /// The documentation in one line, without a full stop.
  let documentation: String
  /// Names in other tools, separated by spaces.
  let synonyms: String
  let shape: @Sendable () -> SchemaShape
  let read: @Sendable (inout SpecReader, YAMLMember, inout Owner) -> Void

  init(
    _ name: String, _ documentation: String, synonyms: String = "",
    _ shape: @autoclosure @escaping @Sendable () -> SchemaShape,
    _ read: @escaping @Sendable (inout SpecReader, YAMLMember, inout Owner) -> Void
  ) {
    self.name = name
    self.documentation = documentation
    self.synonyms = synonyms
    self.shape = shape
    self.read = read
  }

  /// Creates a key whose value becomes a part of the owner.
  convenience init<Content>(
    _ name: String, _ documentation: String, synonyms: String = "", _ reader: ValueReader<Content>,
    _ set: @escaping @Sendable (inout Owner, Content) -> Void
  ) {
    self.init(name, documentation, synonyms: synonyms, reader.shape()) { specReader, member, owner in
      set(&owner, reader.read(&specReader, member))
    }
  }

  /// The key for a mapping whose owner contains this one's.
  func within<Whole>(
    _ change: @escaping @Sendable (inout Whole, (inout Owner) -> Void) -> Void
  ) -> Key<Whole> {
    Key<Whole>(name, documentation, synonyms: synonyms, self.shape()) { [read] reader, member, whole in
      change(&whole) { read(&reader, member, &$0) }
    }
  }
}

/// The keys of one of the format's mappings.
struct Keys<Owner>: Sendable {
  let all: [Key<Owner>]
  let names: KeyTable

  /// - Parameters:
  ///   - advice: words that people try here, with advice.
  ///   - shape: an example of such a mapping, such as `{size: 1MiB}`.
  init(
    _ all: [Key<Owner>], synonyms: [String: String] = [:],
    advice: @autoclosure @escaping @Sendable () -> KeyTable.Words = [:], usual: [String] = [], shape: String? = nil
  ) {
    self.all = all
    let known = all.map { (name: $0.name, synonyms: $0.synonyms) }
    names = KeyTable(
      known: known.map(\.name),
      synonyms: Dictionary(
        known.flatMap { key in key.synonyms.split(separator: " ").map { (String($0), key.name) } },
        uniquingKeysWith: { first, _ in first }
      ).merging(synonyms) { $1 },
      advice: advice(), usual: usual, shape: shape)
  }

  /// The shape of such a mapping.
  func shape(needed: [String] = []) -> SchemaShape {
    .keys(all.map { SchemaShape.Key($0.name, $0.documentation, $0.shape()) }, needed: needed)
  }
}

/// The reader of a key's value, and the value's shape.
struct ValueReader<Content>: Sendable {
  let shape: @Sendable () -> SchemaShape
  let read: @Sendable (inout SpecReader, YAMLMember) -> Content

  init(
    _ shape: @autoclosure @escaping @Sendable () -> SchemaShape,
    _ read: @escaping @Sendable (inout SpecReader, YAMLMember) -> Content
  ) {
    self.shape = shape
    self.read = read
  }

  /// A literal, or templates for it.
  static func field<Output>(_ decoder: ValueDecoder<Output>) -> ValueReader where Content == Field<Output>? {
    ValueReader(decoder.shape.orTemplate) { $0.field($1.value, decoder) }
  }

  /// A literal alone.
  static func constant<Output>(_ decoder: ValueDecoder<Output>) -> ValueReader where Content == Output? {
    ValueReader(decoder.shape) { $0.constant($1.value, as: $1.key, decoder) }
  }
}
