/// The shells that completions are available for.
package enum CompletionShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish
}

extension CommandTable {
  /// The script that completes the program's command lines in that shell.
  package func completion(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    case .fish: fishCompletion
    }
  }

  /// The functions that a script begins with, without the final line break.
  func functions(_ file: [UInt8]) -> String { String(decoding: file.dropLast(), as: UTF8.self) }
}

/// Text in single quotes for bash and zsh.
func singleQuoted(_ text: String) -> String {
  "'" + text.replacing("'", with: "'\\''") + "'"
}
