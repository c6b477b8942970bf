import Values

/// The number of equal lines shown around differing ones.
private let contextCount = 2
/// The maximum number of lines shown in total.
private let lineLimit = 24

/// The differing lines of texts with several lines, with a few around them; empty for others.
func lineDifferences(expected: Text, actual written: Text) -> DifferenceList {
  let span = DifferingSpan(expected.string, written.string)
  let actual = written.concealing(partsOf: expected)
  // Of long texts only the differing part is split into lines, with some around it.
  let start = lineStart(before: span.start, of: expected.string)
  let rest = actual.string.utf8.count - lineEnd(after: span.actualEnd, of: actual.string)
  let part = expected[utf8: start..<max(start, expected.string.utf8.count - rest)]
  let otherPart = actual[utf8: start..<max(start, actual.string.utf8.count - rest)]
  let size = part.string.utf8.count + otherPart.string.utf8.count
  guard part.string.utf8.contains(0x0A) || otherPart.string.utf8.contains(0x0A), size <= 8 << 20 else {
    return DifferenceList()
  }
  let (a, b) = (lines(part), lines(otherPart))
  var alignment = ListAlignment(budget: 400_000) {
    a[$0] == b[$1]
  } expectedKey: {
    a[$0]
  } actualKey: {
    b[$0]
  }
  alignment.align(a.indices, b.indices)
  let first = textPlace(of: start, in: actual.string).line
  return LineHunks(expected: a, actual: b, steps: alignment.steps, firstNumber: first).list
}

/// The start of the lines shown before an offset.
private func lineStart(before offset: Int, of text: String) -> Int {
  var text = text
  return text.withUTF8 { bytes in
    var position = offset
    var left = contextCount
    while position > 0 {
      if bytes[position - 1] == 0x0A {
        if left == 0 { return position }
        left -= 1
      }
      position -= 1
    }
    return 0
  }
}

/// The end of the lines shown after an offset.
private func lineEnd(after offset: Int, of text: String) -> Int {
  var text = text
  return text.withUTF8 { bytes in
    var position = offset
    var left = contextCount
    while position < bytes.count {
      if bytes[position] == 0x0A {
        if left == 0 { return position }
        left -= 1
      }
      position += 1
    }
    return bytes.count
  }
}

/// The lines of a text, secrets kept.
private func lines(_ text: Text) -> [Text] {
  var result: [Text] = [Text("")]
  for run in text.runs {
    // Line breaks are searched for in bytes: CR LF is one character.
    let parts = run.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(Text("")) }
      result[result.count - 1].append(Text(String(part) ?? "", isSecret: run.isSecret))
    }
  }
  return result
}

/// Groups of adjacent differing lines, as in a unified diff.
private struct LineHunks {
  private struct Hunk {
    var expected: Range<Int>
    var actual: Range<Int>
  }

  private let expected: [Text]
  private let actual: [Text]
  private(set) var list = DifferenceList()

  /// - Parameter firstNumber: the number of the first line in its text, counted from 1.
  init(expected: [Text], actual: [Text], steps: [AlignmentStep], firstNumber: Int) {
    self.expected = expected
    self.actual = actual
    var shown = 0
    var end = 0
    let hunks = LineHunks.hunks(steps)
    // There is no line after the last line break.
    let lineCount = actual.last?.isEmpty == true ? actual.count - 1 : actual.count
    for (index, hunk) in hunks.enumerated() {
      guard shown < lineLimit else {
        list.more += hunks.count - index
        break
      }
      let next = index + 1 < hunks.count ? hunks[index + 1].actual.lowerBound : max(lineCount, hunk.actual.upperBound)
      let before = max(end, hunk.actual.lowerBound - contextCount)..<hunk.actual.lowerBound
      // Between close hunks all lines are shown, with the first of them.
      end =
        next - hunk.actual.upperBound <= 2 * contextCount && index + 1 < hunks.count
        ? next : min(next, hunk.actual.upperBound + contextCount)
      var lines = before.map { DifferenceLine(.same, bare(actual[$0])) }
      lines += changed(hunk, room: max(8, lineLimit - shown))
      lines += (hunk.actual.upperBound..<end).map { DifferenceLine(.same, bare(actual[$0])) }
      shown += lines.count
      let number = firstNumber + hunk.actual.lowerBound
      var difference = Difference(
        path: hunk.actual.count <= 1 ? "line \(number)" : "lines \(number) to \(number + hunk.actual.count - 1)",
        kind: hunk.actual.isEmpty ? .missing : hunk.expected.isEmpty ? .unexpected : .changed)
      difference.lines = lines
      difference.expectedLine = firstNumber + hunk.expected.lowerBound
      list.listed.append(difference)
    }
  }

  private static func hunks(_ steps: [AlignmentStep]) -> [Hunk] {
    // Removed lines are placed at the current position in the actual text, and vice versa.
    var result: [Hunk] = []
    var shift = 0
    for step in steps {
      let next: Hunk
      switch step {
      case .replace(let a, let b):
        next = Hunk(expected: a..<a + 1, actual: b..<b + 1)
        shift = b - a
      case .remove(let a):
        next = Hunk(expected: a..<a + 1, actual: a + shift..<a + shift)
        shift -= 1
      case .insert(let b):
        next = Hunk(expected: b - shift..<b - shift, actual: b..<b + 1)
        shift += 1
      }
      if let last = result.last, last.expected.upperBound == next.expected.lowerBound,
        last.actual.upperBound == next.actual.lowerBound
      {
        result[result.count - 1] = Hunk(
          expected: last.expected.lowerBound..<next.expected.upperBound,
          actual: last.actual.lowerBound..<next.actual.upperBound)
      } else {
        result.append(next)
      }
    }
    return result
  }

  /// The expected lines, then the actual ones, each up to a limit.
  private func changed(_ hunk: Hunk, room: Int) -> [DifferenceLine] {
    var (removed, inserted): ([Text], [Text]) = ([], [])
    for (a, b) in zip(hunk.expected, hunk.actual).prefix(room) {
      if subtleDifference(expected: expected[a].string, actual: actual[b].string) != nil
        || isLong(expected[a].string, limit: lineWidth) || isLong(actual[b].string, limit: lineWidth)
      {
        let pair = TextComparison(expected: expected[a], actual: actual[b])
        removed.append(pair.expected)
        inserted.append(pair.actual)
      } else {
        removed.append(bare(expected[a]))
        inserted.append(bare(actual[b]))
      }
    }
    removed += hunk.expected.dropFirst(removed.count).prefix(room).map { bare(expected[$0]) }
    inserted += hunk.actual.dropFirst(inserted.count).prefix(room).map { bare(actual[$0]) }
    return cut(removed, of: hunk.expected.count, to: room / 2 + max(0, room / 2 - inserted.count), .expected)
      + cut(inserted, of: hunk.actual.count, to: room / 2 + max(0, room / 2 - removed.count), .actual)
  }

  private func cut(_ texts: [Text], of count: Int, to room: Int, _ side: DifferenceLine.Side) -> [DifferenceLine] {
    let shown = texts.prefix(count <= room + 1 ? room + 1 : room).map { DifferenceLine(side, $0) }
    guard count > shown.count else { return shown }
    return shown + [DifferenceLine(side, Text("… and \(counted(count - shown.count, "line")) more"))]
  }
}

private let lineWidth = 100

/// A line without quotes, unless they are needed to show its content.
private func bare(_ line: Text) -> Text {
  let string = line.string
  let isPlain =
    string.utf8.last.map { $0 != 0x20 && $0 != 0x09 } ?? true
    && !isLong(string, limit: lineWidth)
    && !string.unicodeScalars.contains { isInvisible($0) && $0 != "\t" && $0.value != 0x200D }
  return isPlain ? line.mapRuns { $0.replacing("\t", with: "    ") } : quoted(line, limit: lineWidth)
}
