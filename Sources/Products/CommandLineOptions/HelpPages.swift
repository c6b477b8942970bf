import CPages
import Values

/// A page of the documentation, which `help` shows by its topic.
package struct HelpPage: Sendable {
  /// The name of its file, such as `ContinuousIntegration`.
  package let name: String
  package let title: String

  /// The name on the command line, such as `continuous-integration`, if nothing else has it.
  var topic: String {
    var topic = ""
    for character in name {
      if character.isUppercase, topic.last?.isLowercase ?? false { topic += "-" }
      topic.append(character)
    }
    return topic.lowercased()
  }

  fileprivate init?(_ name: String) {
    guard let text = HelpPage.text(of: name), text.hasPrefix("# ") else { return nil }
    self.name = name
    title = String(text.dropFirst(2).prefix { $0 != "\n" })
  }

  /// The blocks after the title. Those for the site alone are left out.
  var blocks: [ReferenceDocument.Block] {
    let blocks = ReferenceDocument(parsing: HelpPage.text(of: name) ?? "").blocks.dropFirst()
    return blocks.prefix { $0 != .heading(2, "Topics") }.filter { $0 != .heading(2, "Overview") }
  }

  /// The page on the codes of diagnostics.
  fileprivate static let diagnostics = HelpPage("Diagnostics")

  /// The blocks below a heading, up to the next one; nil if there is no such heading.
  fileprivate func section(_ heading: String) -> [ReferenceDocument.Block]? {
    let rest = blocks.drop { $0 != .heading(3, heading) }
    return rest.isEmpty ? nil : Array(rest.dropFirst().prefix { if case .heading = $0 { false } else { true } })
  }

  /// The text of a page in Markdown.
  package static func text(of name: String) -> String? {
    var index = 0
    while let page = reqrun_page(index)?.pointee {
      if String(cString: page.name) == name {
        return String(decoding: UnsafeBufferPointer(start: page.text, count: page.length), as: UTF8.self)
      }
      index += 1
    }
    return nil
  }

  /// All pages but the first, in its groups and their order.
  package static let groups: [(title: String, pages: [HelpPage])] = {
    var groups: [(title: String, pages: [HelpPage])] = []
    let lines = (text(of: "ReqrunKit") ?? "").split(separator: "\n").drop { $0 != "## Topics" }
    for line in lines {
      if line.hasPrefix("### ") { groups.append((String(line.dropFirst(4)), [])) }
      guard line.hasPrefix("- <doc:"), !groups.isEmpty else { continue }
      if let page = HelpPage(String(line.dropFirst(7).prefix { $0 != ">" })) {
        groups[groups.count - 1].pages.append(page)
      }
    }
    return groups.filter { !$0.pages.isEmpty }
  }()
}

/// The meaning of a diagnostic's code in one sentence.
package func diagnosticSummary(_ code: String) -> String? {
  guard case .paragraph(let text)? = HelpPage.diagnostics?.section(code)?.first else { return nil }
  return text
}

extension CommandTable {
  /// The topic of a page, with a suffix if it is also a command, or a section or a key of the format.
  func topic(of page: HelpPage) -> String {
    let topic = page.topic
    if FormatReference.shared.section(topic)?.isPage ?? false { return topic }
    let isTaken = CommandName(rawValue: topic) != nil || FormatReference.topics.contains(topic)
    return isTaken ? "\(topic)-guide" : topic
  }

  /// The page beside a command or a section of the same name.
  func guideLines(_ name: String, width: Int) -> [String] {
    guard let page = page(on: "\(name)-guide") else { return [] }
    return [""] + folded("`\(program) help \(topic(of: page))` is the page on it", width: width)
  }

  func page(on topic: String) -> HelpPage? {
    HelpPage.groups.lazy.flatMap(\.pages).first { self.topic(of: $0) == topic }
  }

  /// The text with `help TOPIC` for each link to a page or a section.
  func withTopics(_ text: String) -> String {
    let parts = text.parts(separatedBy: "<doc:")
    return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
      let link = part.prefix { $0 != ">" }
      let page = String(link.prefix { $0 != "#" })
      let section = link.dropFirst(page.count + 1)
      let topic = section.isEmpty ? HelpPage(page).map(topic) : FormatReference.name(of: String(section))
      result += "`\(program) help \(topic ?? page)`" + part.dropFirst(link.count + 1)
    }
  }

  func pageLines(_ page: HelpPage, width: Int, isStyled: Bool) -> [String] {
    [heading(page.title, isStyled: isStyled), ""] + textLines(page.blocks, width: width, isStyled: isStyled)
  }

  /// The explanation of a diagnostic's code.
  func codeLines(_ code: String, width: Int, isStyled: Bool) -> [String]? {
    guard DiagnosticCode(rawValue: code) != nil, let blocks = HelpPage.diagnostics?.section(code) else { return nil }
    return [heading(code, isStyled: isStyled), ""] + textLines(blocks, width: width, isStyled: isStyled)
  }

  /// The list of all pages, by groups.
  func pageList(width: Int) -> [String] {
    [""] + folded("Pages of the documentation, each by `\(program) help TOPIC`:", width: width)
      + HelpPage.groups.flatMap { group in
        ["", "\(group.title):"] + group.pages.flatMap { entry(topic(of: $0), $0.title, width: width) }
      }
  }
}
