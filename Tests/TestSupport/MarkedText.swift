/// A text in which `«…»` marks the spans that something is to be said about.
package struct MarkedText: Sendable {
  /// The text without its marks.
  package let text: String
  /// The marked spans, in bytes of the text's UTF-8.
  package let spans: [Range<Int>]

  package init(_ marked: String) {
    var text = ""
    var spans: [Range<Int>] = []
    var starts: [Int] = []
    for character in marked {
      switch character {
      case "«": starts.append(text.utf8.count)
      case "»": if let start = starts.popLast() { spans.append(start..<text.utf8.count) }
      default: text.append(character)
      }
    }
    self.text = text
    self.spans = spans
  }
}
