/// Changes the text of specs before an export resolves them.
package protocol SourceRewriting: Sendable {
  /// Indicates whether names that the spec reads are gone from its changed text.
  var hidesNames: Bool { get }
  func replaced(_ bytes: [UInt8], path: String) -> [UInt8]
}

extension SourceRewriting {
  package var hidesNames: Bool { false }
}
