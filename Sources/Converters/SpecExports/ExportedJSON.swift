import Values

/// JSON objects whose members stand in a given order; those without a value are left out.
func jsonObject(_ members: KeyValuePairs<String, Value?>) -> Value {
  .mapping(Mapping(members.compactMap { name, value in value.map { (name, $0) } }))
}

extension Value {
  static func list(texts: [String]) -> Value { .list(texts.map { .text($0) }) }

  /// The text of a document, with a line break at its end.
  var document: [UInt8] { Array((jsonText(.pretty).string + "\n").utf8) }
}
