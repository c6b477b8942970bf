import DocumentQueries
import Values

/// A place of an instance that a schema rejects.
package struct SchemaFailure: Sendable {
  /// The wrong value, or the object that lacks something.
  package let instance: JSONNode
  /// The JSON Pointer of the wrong value, or of the place of the missing one.
  package let pointer: String
  /// Indicates whether something required is missing; then there is no value to show.
  package let isMissing: Bool
  /// The keyword that failed, such as `required`.
  package let keyword: String
  /// The place of the keyword's value.
  package let range: SourceRange
  /// The JSON Pointer of the keyword in the schema's document.
  package let schemaPointer: String
  /// A description of valid values, such as `an integer`; nil if nothing would be valid.
  package let expected: String?
  /// A remark about the value beyond its text, such as `2 characters`.
  package let remark: String?
  /// A hint at the cause, such as a property of a similar name.
  package let hint: String?
  /// The nearest of several schemas.
  package let nearest: NearestBranch?

  /// The schema of `anyOf` or `oneOf` that the instance seems to be intended for.
  package struct NearestBranch: Sendable {
    /// The name, such as `Card (2 of 3)`.
    package let name: String
    package let failures: [SchemaFailure]
    package let more: Int
  }

  init(_ raw: RawFailure, of set: SchemaSet, in document: JSONDocument) {
    let wording = FailureWording(raw: raw, set: set, instance: document.node(at: raw.instance))
    let (source, place) = set.source(of: raw.schema, at: raw.place)
    instance = wording.instance
    let pointer = JSONPointer.pointer(to: wording.instance)
    if case .missing(let name, _) = raw.fault {
      self.pointer = pointer + "/" + JSONPointer.escaped(String(decoding: name, as: UTF8.self))
      isMissing = true
    } else {
      self.pointer = pointer
      isMissing = false
    }
    keyword = wording.keyword
    let named = wording.requiredName ?? place
    range = source.range(of: named)
    schemaPointer = JSONPointer.pointer(to: named)
    expected = wording.expected
    remark = wording.remark
    hint = wording.hint
    nearest = wording.nearest
  }
}
