package import Diagnostics
package import JSONQueries
internal import Values

/// A place of an instance that a schema does not allow.
package struct SchemaFailure: Sendable {
  /// What is wrong: a value, or the object that lacks something.
  package let instance: JSONNode
  /// The JSON Pointer of what is wrong; of what is missing, where it belongs.
  package let pointer: String
  /// Whether something that should be there is not; then there is no value to show.
  package let isMissing: Bool
  /// The keyword that is not met, such as `required`.
  package let keyword: String
  /// Where its value stands.
  package let range: SourceRange
  /// Its JSON Pointer in the schema's document.
  package let schemaPointer: String
  /// What would be valid, such as `an integer`; nil where nothing would.
  package let expected: String?
  /// What is to be said of the value beside showing it, such as `2 characters`.
  package let remark: String?
  /// What to look at, such as a property of a similar name.
  package let hint: String?
  /// Of several schemas the one that came nearest to holding.
  package let nearest: NearestBranch?

  /// Of the schemas of `anyOf` or `oneOf` the one that the instance seems to be meant for.
  package struct NearestBranch: Sendable {
    /// Such as `Card (2 of 3)`.
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
