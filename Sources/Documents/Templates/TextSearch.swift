import Values

/// Finds the occurrences of a text in another one, compared byte by byte, in linear time (Knuth, Morris and Pratt).
struct TextSearch {
  private let sought: [UInt8]
  private let text: [UInt8]
  /// The length of the longest proper border of each prefix of the text sought.
  private let borders: [Int]

  init(for sought: [UInt8], in text: [UInt8]) {
    self.sought = sought
    self.text = text
    borders = sought.count <= text.count ? prefixFunction(of: sought) : []
  }

  /// The start of the first occurrence.
  var first: Int? {
    var found: Int?
    visit { place in
      found = place
      return false
    }
    return found
  }

  /// Calls the body with the start of each occurrence; they don't overlap.
  func forEach(_ body: (Int) -> Void) {
    visit { place in
      body(place)
      return true
    }
  }

  /// Calls the body with the start of each occurrence until it returns false.
  private func visit(_ body: (Int) -> Bool) {
    guard !borders.isEmpty else { return }
    var length = 0
    for (index, byte) in text.enumerated() {
      while length > 0, byte != sought[length] { length = borders[length - 1] }
      if byte == sought[length] { length += 1 }
      if length == sought.count {
        if !body(index + 1 - length) { return }
        length = 0
      }
    }
  }
}
