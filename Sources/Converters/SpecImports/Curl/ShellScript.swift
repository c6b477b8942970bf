/// A command of a shell's script.
struct ShellCommand: Sendable {
  enum Input: Sendable, Hashable {
    case file(ImportedText)
    case text(ImportedText)
    /// The output of another command of the script, by its index.
    case pipe(Int)
  }

  var words: [ImportedText] = []
  var input: Input?
  /// The comments above it, and behind it in its line.
  var comments: [String] = []
  /// The command as it is written.
  var source = ""
}

/// The commands of a script, as bash reads it, or cmd.
///
/// Nothing is executed: a variable stays one, and a substitution is unknown text.
struct ShellScript: Sendable {
  var commands: [ShellCommand] = []
  /// The bodies of functions by their names.
  var functions: [String: String] = [:]
  /// The place of a quote without an end.
  var openQuote: Int?

  init() {}

  init(_ text: String) {
    self = Self.isForCmd(text) ? CmdReader.read(text) : BashReader.read(text)
  }

  /// Returns whether a script has the quotes and line ends of cmd, as browsers copy them on Windows.
  private static func isForCmd(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "^")) else { return false }
    return text.split(whereSeparator: \.isNewline).contains { line in
      line.hasSuffix(" ^") || line.hasPrefix("curl ^\"") || line.hasPrefix("curl.exe ^\"")
    }
  }
}

extension ShellCommand {
  /// The words after keywords, prompts and commands that run another.
  var commandWords: ArraySlice<ImportedText> {
    words.drop { word in word.literal.map(Self.prefixes.contains) ?? false }
  }

  /// The name of the program, without its path.
  var program: String? {
    let name = commandWords.drop { $0.assignment != nil }.first?.literal
    return name?.split { $0 == "/" || $0 == "\\" }.last.map { $0.hasSuffix(".exe") ? $0.dropLast(4) : $0 }.map(
      String.init)
  }

  /// The words after the program's name.
  var arguments: ArraySlice<ImportedText> { commandWords.drop { $0.assignment != nil }.dropFirst() }

  private static let prefixes: Set<String> = [
    "!", "$", "%", ">", "command", "do", "elif", "else", "env", "eval", "exec", "if", "nohup", "sudo", "then", "time",
    "until", "while", "{", "@echo", "call",
  ]
}

extension ImportedText {
  /// The name and the value of a word such as `NAME=value`.
  var assignment: (name: String, value: ImportedText)? {
    guard case .text(let text)? = parts.first, let place = text.firstIndex(of: "=") else { return nil }
    let name = text[..<place]
    guard isShellName(name) else { return nil }
    return (String(name), dropFirst(name.count + 1))
  }
}

/// Returns whether a text is a name that a shell's variable may have.
func isShellName(_ text: some StringProtocol) -> Bool {
  guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
  return text.utf8.allSatisfy(isShellNameByte)
}

func isShellNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: false
  }
}
