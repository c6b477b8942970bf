import Values

/// An error in a command line.
package struct UsageError: Error, Sendable, Hashable {
  package let message: String
  /// Advice on what to write, or where to look.
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// The error as printed, with a line break at the end: arguments may contain anything.
  package var text: String {
    var text = "error: \(sanitizedForTerminal(message))\n"
    if let help { text += "  = help: \(sanitizedForTerminal(help))\n" }
    return text
  }
}

/// A parsed command line: including the environment's values, with all rules of the table checked.
package struct ParsedCommand: Sendable {
  package let name: CommandName
  /// Indicates whether the command line names the command explicitly.
  package let isNameGiven: Bool
  /// The arguments other than options and the command.
  package let arguments: [String]
  let settings: [String: [String]]

  /// The values of a repeatable option, in order.
  package func values(of long: String) -> [String] {
    assert(ReqrunOptions.all.contains { $0.long == long }, "--\(long) is not an option of the table")
    return settings[long] ?? []
  }

  /// The words of the comma-separated values of an option.
  package func words(of long: String) -> [String] { commaSeparatedWords(values(of: long)) }

  /// The value of an option, the last if there are several; nil if it is not set.
  package func value(of long: String) -> String? { values(of: long).last }

  /// The value of an option whose rule is `integer`; nil if it is not set.
  package func integer(of long: String) -> Int? { value(of: long).flatMap { Int($0) } }

  /// Returns whether a flag is set.
  package func flag(_ long: String) -> Bool { count(long) > 0 }

  /// Returns the number of times a flag is given.
  package func count(_ long: String) -> Int { values(of: long).count }
}
