/// Where a spec comes from.
public enum SpecSource: Sendable, Hashable {
  /// A file, or a directory with files. `FILE:LINE` selects the request of that line, `-` is standard input.
  case path(String)
  /// A text in memory that is read as if the file at the path `name` held it: what it refers to is looked for beside it.
  case text(String, name: String)
}
