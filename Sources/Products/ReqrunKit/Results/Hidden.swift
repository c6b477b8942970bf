/// A part of a public value that only the library reads: it is not compared, encoded or printed.
struct Hidden<Content: Sendable>: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  var content: Content?

  static func == (left: Hidden, right: Hidden) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
  var description: String { "…" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
