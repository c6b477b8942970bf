import Values

/// A value as the text of a JSON body, secrets kept.
///
/// Layout and escapes are those of Foundation's `JSONEncoder`; numbers stay as written, members in their order unless
/// `options.sort` is set.
package func jsonBody(_ value: Value, options: EncodingOptions) -> Text {
  var style = JSONStyle(options.json)
  style.isSpacedAsFoundation = true
  style.sortsMembers = options.sort
  style.escapes = options.escapesSlashes ? .slash : []
  style.dataIsList = options.dataEncoding == .bytes
  style.date = { options.dateEncoding.jsonText($0) }
  return value.jsonText(style)
}
