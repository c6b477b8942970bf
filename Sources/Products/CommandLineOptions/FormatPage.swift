extension CommandTable {
  /// The manual page of the format in mdoc(7), section 5.
  package func formatPage() -> String {
    let reference = FormatReference.shared
    var page = [
      ".Dd \(date)", ".Dt \(program.uppercased())-FORMAT 5", ".Os", ".Sh NAME", ".Nm \(program)-format",
      ".Nd the format of the request files of \(program)",
    ]
    for section in reference.sections {
      let title = argument(section.title)
      let heading = section.isPage ? ".Sh \(title.uppercased())" : ".Ss \(title)"
      page += [section.name == formatTopic ? ".Sh DESCRIPTION" : heading] + blocks(section.blocks)
    }
    page += [".Sh SEE ALSO", ".Xr \(program) 1"]
    return page.joined(separator: "\n") + "\n"
  }

  private func blocks(_ blocks: [ReferenceDocument.Block]) -> [String] {
    var lines: [String] = []
    var isInList = false
    for (index, block) in blocks.enumerated() {
      let isItem = if case .item = block { true } else { false }
      if isInList, !isItem { lines.append(".El") }
      if isItem, !isInList { lines.append(".Bl -bullet") }
      isInList = isItem
      switch block.mapText(withTopics) {
      case .heading: break
      case .paragraph(let paragraph): lines += (index > 0 ? [".Pp"] : []) + text(paragraph)
      case .item(let item): lines += [".It"] + text(item)
      case .code(let code):
        lines += [".Bd -literal -offset indent"] + code.map { literal(escaped($0)) } + [".Ed"]
      case .table(_, let rows):
        lines.append(".Bl -tag -width Ds")
        for row in rows {
          lines += [".It \(argument(row.first ?? ""))"] + text(row.dropFirst().joined(separator: " · "))
        }
        lines.append(".El")
      }
    }
    return isInList ? lines + [".El"] : lines
  }

  private func literal(_ line: String) -> String { line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line }
}
