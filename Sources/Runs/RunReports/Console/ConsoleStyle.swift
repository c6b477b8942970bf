/// Colours for a terminal, or none.
package struct ConsoleStyle: Sendable {
  package let isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  package func green(_ text: String) -> String { paint(text, "32") }
  package func red(_ text: String) -> String { paint(text, "31") }
  package func yellow(_ text: String) -> String { paint(text, "33") }
  package func magenta(_ text: String) -> String { paint(text, "35") }
  package func cyan(_ text: String) -> String { paint(text, "36") }
  package func bold(_ text: String) -> String { paint(text, "1") }
  package func dim(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
