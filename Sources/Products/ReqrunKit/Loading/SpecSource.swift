/// The source of a spec.
public enum SpecSource: Sendable, Hashable {
  /// A file, or a directory with files. `FILE:LINE` selects the request of that line, `-` is standard input.
  case path(String)
  /// A text in memory, read as the content of a file at the path `name`: relative paths in it are relative to that.
  case text(String, name: String)
}
