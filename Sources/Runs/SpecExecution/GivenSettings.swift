import RequestSpecs

// The properties used here are declared in another module, whose accessors the compiler neither specializes nor inlines
// here: each request would pay for its type's metadata, or for a copy of all its settings.

extension Setting {
  var value: Content? { if case .given(let content) = self { content } else { nil } }
}

extension KeyedSettings {
  var isEmpty: Bool { entries.isEmpty && whole == nil }
}

extension RequestSettings {
  var transfer: TransferSettings? { transferBox?.content }
  var stream: StreamSpec? { transferBox?.content.stream.value }
  var bodyCoding: BodyCodingSettings? { bodyCodingBox?.content }
}
