import HTTPSemantics
import Templates
import Values
import YAMLNodes

/// Settings of one mapping, which are merged key by key with those of lower layers.
package protocol LayeredSettings: Sendable {
  static var settingKeys: SettingKeys<Self> { get }
  init()
}

/// A key of a layered mapping, with its merge rule, its templates and its transport needs.
final class SettingKey<Owner>: Sendable {
  let key: Key<Owner>
  /// Merges the upper layer's content over the lower one's.
  let merge: @Sendable (_ upper: Owner, _ result: inout Owner) -> Void
  /// Removes the content of lower layers.
  let remove: @Sendable (inout Owner) -> Void
  let addTemplates: @Sendable (Owner, inout [Template]) -> Void
  let addNeeds: @Sendable (Owner, inout [Located<TransportFeature>]) -> Void

  /// - Parameters:
  ///   - templates: those of the whole owner, if they aren't those of the value alone.
  ///   - needs: the transport features that the key needs in addition to its value.
  init<Content>(
    _ name: String, _ documentation: String, synonyms: String = "", _ kind: SettingKind<Content>,
    _ get: @escaping @Sendable (Owner) -> Content, _ set: @escaping @Sendable (inout Owner, Content) -> Void,
    templates: (@Sendable (Owner, inout [Template]) -> Void)? = nil,
    needs: (@Sendable (Owner, inout [Located<TransportFeature>]) -> Void)? = nil
  ) {
    key = Key(name, documentation, synonyms: synonyms, kind.reader, set)
    merge = { upper, result in set(&result, kind.over(get(upper), get(result))) }
    remove = { set(&$0, kind.removed) }
    addTemplates = templates ?? { kind.addTemplates(get($0), &$1) }
    addNeeds = { owner, found in
      kind.addNeeds(get(owner), &found)
      needs?(owner, &found)
    }
  }

  private init(
    key: Key<Owner>, merge: @escaping @Sendable (Owner, inout Owner) -> Void,
    remove: @escaping @Sendable (inout Owner) -> Void,
    addTemplates: @escaping @Sendable (Owner, inout [Template]) -> Void,
    addNeeds: @escaping @Sendable (Owner, inout [Located<TransportFeature>]) -> Void
  ) {
    self.key = key
    self.merge = merge
    self.remove = remove
    self.addTemplates = addTemplates
    self.addNeeds = addNeeds
  }

  /// The key for settings that contain these as an optional part.
  func within<Whole>(
    _ get: @escaping @Sendable (Whole) -> Owner?, _ set: @escaping @Sendable (inout Whole, Owner) -> Void
  ) -> SettingKey<Whole> where Owner: LayeredSettings {
    @Sendable func change(_ whole: inout Whole, _ body: (inout Owner) -> Void) {
      var part = get(whole) ?? Owner()
      body(&part)
      set(&whole, part)
    }
    return SettingKey<Whole>(
      key: key.within(change),
      merge: { [merge] upper, result in
        guard let upper = get(upper) else { return }
        change(&result) { merge(upper, &$0) }
      },
      remove: { [remove] in change(&$0, remove) },
      addTemplates: { [addTemplates] whole, found in if let part = get(whole) { addTemplates(part, &found) } },
      addNeeds: { [addNeeds] whole, needs in if let part = get(whole) { addNeeds(part, &needs) } })
  }
}

/// The keys of a layered mapping.
package struct SettingKeys<Owner>: Sendable {
  let all: [SettingKey<Owner>]
  let keys: Keys<Owner>

  init(
    _ all: [SettingKey<Owner>], advice: [String: String] = [:], shape: String? = nil
  ) {
    self.all = all
    keys = Keys(all.map(\.key), advice: advice, shape: shape)
  }
}

extension LayeredSettings {
  /// This layer merged over a lower one.
  package func over(_ base: Self) -> Self {
    var result = base
    for key in Self.settingKeys.all { key.merge(self, &result) }
    return result
  }

  /// The content that removes everything from lower layers.
  package static var removed: Self {
    var result = Self()
    for key in settingKeys.all { key.remove(&result) }
    return result
  }

  func addTemplates(to found: inout [Template]) {
    for key in Self.settingKeys.all { key.addTemplates(self, &found) }
  }

  func addNeeds(to needs: inout [Located<TransportFeature>]) {
    for key in Self.settingKeys.all { key.addNeeds(self, &needs) }
  }
}

/// The reader, the merge rule, the templates and the transport needs of a setting.
struct SettingKind<Content: Sendable>: Sendable {
  let reader: ValueReader<Content>
  /// The content of a layer with `null`.
  let removed: Content
  let over: @Sendable (_ upper: Content, _ lower: Content) -> Content
  let addTemplates: @Sendable (Content, inout [Template]) -> Void
  let addNeeds: @Sendable (Content, inout [Located<TransportFeature>]) -> Void
}

extension SettingKind {
  /// A value with its own reader, replaced as a whole.
  ///
  /// - Parameter read: returns nil for an invalid value, which it reports.
  static func whole<Value>(
    _ shape: @autoclosure @escaping @Sendable () -> SchemaShape, nullRemoves: Bool = true,
    templates: @escaping @Sendable (Value) -> [Template] = { _ in [] },
    needs: @escaping @Sendable (Value, inout [Located<TransportFeature>]) -> Void = { _, _ in },
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> Value?
  ) -> SettingKind where Content == Setting<Value> {
    SettingKind(
      reader: ValueReader(shape().or(.null)) { reader, member in
        guard reader.isUsable(member.value) else { return .inherited }
        if nullRemoves, member.value.isNull { return .removed }
        return read(&reader, member.value).map { .given($0) } ?? .inherited
      }, removed: .removed, over: { $0.over($1) },
      addTemplates: { setting, found in if let value = setting.value { found += templates(value) } },
      addNeeds: { setting, found in if let value = setting.value { needs(value, &found) } })
  }

  /// A literal, or templates for it.
  ///
  /// - Parameters:
  ///   - needs: the transport feature that the setting needs; a template needs it whatever its value.
  ///   - isDefault: whether a literal needs nothing.
  static func field<Output>(
    _ decoder: ValueDecoder<Output>, needs feature: TransportFeature? = nil,
    unless isDefault: @escaping @Sendable (Output) -> Bool = { _ in false },
    check: @escaping @Sendable (inout SpecReader, YAMLNode) -> Void = { _, _ in }
  ) -> SettingKind where Content == Setting<Field<Output>> {
    field(decoder.shape, needs: feature, unless: isDefault) { reader, node in
      let setting = reader.setting(node, decoder)
      check(&reader, node)
      return setting
    }
  }

  /// The same, with its own reader.
  static func field<Output>(
    _ shape: @autoclosure @escaping @Sendable () -> SchemaShape, needs feature: TransportFeature? = nil,
    unless isDefault: @escaping @Sendable (Output) -> Bool = { _ in false },
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> Content
  ) -> SettingKind where Content == Setting<Field<Output>> {
    SettingKind(
      reader: ValueReader(shape().orTemplate.or(.null)) { read(&$0, $1.value) }, removed: .removed,
      over: { $0.over($1) },
      addTemplates: { setting, found in
        if let field = setting.value, field.isTemplate { found += field.templates }
      },
      addNeeds: { setting, needs in
        guard let feature, let field = setting.value, !(field.literal.map(isDefault) ?? false) else { return }
        needs.append(Located(feature, at: field.range))
      })
  }

  /// A mapping with the user's own names.
  static func names<Item>(
    of item: @autoclosure @escaping @Sendable () -> SchemaShape, takesTemplate: Bool = true, ignoringCase: Bool = false,
    templates: @escaping @Sendable (Content, inout [Template]) -> Void,
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> Content
  ) -> SettingKind where Content == KeyedSettings<Item> {
    @Sendable func shape() -> SchemaShape {
      let names = SchemaShape.names(of: item()).or(.null)
      return takesTemplate ? names.orTemplate : names
    }
    return SettingKind(
      reader: ValueReader(shape()) { read(&$0, $1.value) }, removed: .removed,
      over: { $0.over($1, ignoringCase: ignoringCase) }, addTemplates: templates, addNeeds: { _, _ in })
  }

  /// A mapping whose keys are merged one by one.
  ///
  /// - Parameter alone: the shape of a value in place of the mapping.
  static func part(
    alone: @autoclosure @escaping @Sendable () -> SchemaShape = .null,
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> Content
  ) -> SettingKind where Content: LayeredSettings {
    SettingKind(
      reader: ValueReader(Content.settingKeys.keys.shape().or(.null).or(alone())) { read(&$0, $1.value) },
      removed: .removed, over: { $0.over($1) }, addTemplates: { $0.addTemplates(to: &$1) },
      addNeeds: { $0.addNeeds(to: &$1) })
  }
}

extension SpecReader {
  /// A mapping whose keys are merged one by one; `null` removes those of lower layers.
  mutating func part<Owner: LayeredSettings>(
    _ node: YAMLNode, as what: String, instead: String? = nil, over owner: Owner = Owner()
  ) -> Owner {
    if node.isNull { return .removed }
    var result = owner
    visit(node, as: what, keys: Owner.settingKeys.keys, instead: instead, into: &result)
    return result
  }
}

extension SettingKind {
  /// A mapping from the user's own names to values.
  static func values(
    of item: @autoclosure @escaping @Sendable () -> SchemaShape, ignoringCase: Bool = false,
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> Content
  ) -> SettingKind where Content == KeyedSettings<ValueTemplate> {
    .names(of: item(), ignoringCase: ignoringCase, templates: { $0.addTemplates(to: &$1) }, read)
  }
}
