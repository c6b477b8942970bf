import HTTPSemantics
import SpecExecution
import Values

/// A body for people: decoded by its charset, formatted and coloured by its type.
package struct BodyText {
  let style: ConsoleStyle
  /// Indicates whether JSON and markup are indented.
  let isFormatted: Bool
  /// Indicates whether it is for a terminal, which shows neither control characters nor binary data.
  let isForTerminal: Bool

  package init(style: ConsoleStyle, isFormatted: Bool, isForTerminal: Bool) {
    (self.style, self.isFormatted, self.isForTerminal) = (style, isFormatted, isForTerminal)
  }

  /// The text, with a line break at its end.
  package func text(of bytes: [UInt8], contentType: String?) -> String {
    if bytes.isEmpty { return "" }
    var text = BodyCharset(contentType: contentType) { Array(bytes.prefix($0)) }.decodeReplacing(bytes)
    let size = Int64(bytes.count)
    if isForTerminal,
      let note = BodySummary(text: text, isWhole: true, contentType: contentType, count: size).binaryForm
    {
      return style.dim("(\(sanitizedForTerminal(note)): not shown, since it is not text; -o FILE stores it)") + "\n"
    }
    let type = MediaType(contentType)
    let language = Language(type, text)
    if isFormatted {
      switch language {
      case .json: text = indentedJSON(text) ?? text
      case .markup: text = indentedMarkup(text, isHTML: type.isHTML) ?? text
      case .jsonLines, .other: break
      }
    }
    if isForTerminal {
      text = sanitizedForTerminal(
        text, as: language == .json || language == .jsonLines ? .escape : .symbol, keepingLineBreaks: true)
    }
    let colors = SyntaxColors(style: style)
    switch language {
    case .json, .jsonLines: text = colors.json(text)
    case .markup: text = colors.markup(text)
    case .other: break
    }
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  private enum Language {
    case json, jsonLines, markup, other

    init(_ type: MediaType, _ text: String) {
      if type.essence.hasSuffix("json") {
        let isLines = ["application/x-ndjson", "application/ndjson"].contains(type.essence)
        self = isLines ? .jsonLines : .json
      } else if type.essence == "application/jsonl" {
        self = .jsonLines
      } else if type.isHTML || type.isXML {
        self = .markup
      } else {
        // Servers without a content type, and text that is JSON.
        let mayBeJSON = ["", "text/plain", "text/javascript"].contains(type.essence)
        self =
          mayBeJSON && ["{", "["].contains(text.first { !$0.isWhitespace }) && indentedJSON(text) != nil
          ? .json : .other
      }
    }
  }
}
