import Diagnostics
import HTTPMessages
import Matching
import Templates
import URLs
import Values
import YAMLNodes

/// Sources that take a path, a name or a pattern.
private let namedSources = ["json", "xpath", "header", "cookie", "regex", "link", "timing", "events"]

/// Sources that are a word alone.
private let bareSources: [String: CaptureSpec.Source] = [
  "body": .body, "status": .status, "url": .url, "duration": .duration, "bytes": .bytes, "redirects": .redirects,
  "http_version": .httpVersion, "remote_address": .remoteAddress, "local_address": .localAddress,
  "certificate": .certificate(nil), "file": .file,
]

private let captureSources = namedSources + bareSources.keys.sorted()

private let captureKeys = KeyTable(
  known: captureSources + ["group", "as", "default", "secret"],
  synonyms: [
    "jsonpath": "json", "path": "json", "headers": "header", "cookies": "cookie", "type": "as", "pattern": "regex",
    "mask": "secret",
  ])

extension SpecReader {
  mutating func captures(_ node: YAMLNode) -> KeyedSettings<CaptureSpec> {
    keyed(node, as: "capture", takesTemplate: false) { reader, member in
      guard reader.checkName(member.key, at: member.keyRange, of: "a capture") else { return nil }
      return reader.capture(member.value)
    }
  }

  private mutating func capture(_ node: YAMLNode) -> CaptureSpec? {
    guard isUsable(node) else { return nil }
    if node.members != nil { return captureMapping(node) }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning else {
      bag.error(
        "a capture takes a JSONPath or a source, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: "write a JSONPath such as $.id, or one of \(captureSources.joined(separator: ", "))")
      return nil
    }
    if text.hasPrefix("$"), !text.hasPrefix("${{") {
      return jsonPath(text, at: node).map { CaptureSpec(.json($0), label: "json \(text)", range: node.range) }
    }
    if let source = bareSources[text] { return CaptureSpec(source, label: text, range: node.range) }
    if namedSources.contains(text) {
      bag.error("`\(text)` needs to be told what to take", at: node.range, help: "write {\(text): …}")
    } else {
      bag.error(
        "`\(jsonEscaped(text))` is not something to capture", at: node.range, notes: useNote(node),
        help: suggestion(text, among: captureSources) ?? sourceHelp(text))
    }
    return nil
  }

  private func sourceHelp(_ text: String) -> String {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    let root = parts.first.map { captureKeys.synonyms[$0] ?? $0 } ?? ""
    if parts.count == 2, ["json", "body", "response", "data", "res"].contains(root), isMemberName(parts[1]) {
      return "write `$.\(parts[1])`"
    }
    if parts.count == 2, namedSources.contains(root) { return "write {\(root): \(parts[1])}" }
    if isMemberName(text) { return "write `$.\(text)`, or {header: …}, {cookie: …}, {regex: …}" }
    return "write a JSONPath such as $.id, or {header: …}, {cookie: …}, {regex: …}"
  }

  /// Whether it could be a JSONPath that lacks its `$.`
  private func isMemberName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "."), !Template.isTemplate(text) else { return false }
    return text.utf8.allSatisfy { byte in
      byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || ".[]".utf8.contains(byte) || byte == UInt8(ascii: "_")
        || byte >= 0x30 && byte <= 0x39
    }
  }

  private mutating func captureMapping(_ node: YAMLNode) -> CaptureSpec? {
    var spec: CaptureSpec?
    var regex: Field<PatternSpec>?
    var group: Located<CaptureGroup>?
    var conversion: CaptureSpec.Conversion?
    var defaultValue: ValueTemplate?
    var isSecret = false
    let errorsBefore = bag.errorCount
    visit(node, as: "a capture", keys: captureKeys) { reader, member in
      switch member.key {
      case "regex":
        regex = reader.field(member.value, .pattern)
        reader.checkPattern(member.value)
      case "group": group = reader.captureGroup(member.value)
      case "as":
        conversion = reader.constant(
          member.value, as: "as", ValueDecoder<CaptureSpec.Conversion>.word(instead: kindWord))
      case "default": defaultValue = reader.valueTemplate(member.value)
      case "secret": isSecret = reader.constant(member.value, as: "secret", .boolean) ?? false
      default:
        if let spec {
          reader.bag.error(
            "a capture has one source", at: member.keyRange,
            notes: [Diagnostic.Note("the other source stands here", at: spec.range)],
            help: "give each a name of its own")
        } else {
          spec = reader.captureSource(member)
        }
      }
    }
    guard bag.errorCount == errorsBefore else { return nil }
    if let group { checkGroup(group, of: regex) }
    guard bag.errorCount == errorsBefore else { return nil }
    if spec == nil, regex != nil { spec = CaptureSpec(.body, label: "body", range: node.range) }
    guard let spec else {
      // What could not be read has been reported by whoever read the file.
      if node.members?.contains(where: { $0.value.hasError }) != true {
        bag.error("a capture needs a source", at: node.range, help: "one of \(captureSources.joined(separator: ", "))")
      }
      return nil
    }
    return CaptureSpec(
      source: spec.source, regex: regex, group: group?.value, conversion: conversion, defaultValue: defaultValue,
      isSecret: isSecret,
      range: node.range, label: spec.label)
  }

  private mutating func captureSource(_ member: YAMLMember) -> CaptureSpec? {
    let node = member.value
    switch member.key {
    case "json":
      guard let text = plainText(node, as: "json"), let path = jsonPath(text, at: node) else { return nil }
      return CaptureSpec(.json(path), label: "json \(text)", range: member.keyRange)
    case "events":
      guard let text = plainText(node, as: "events"), let path = eventPath(text, at: node) else { return nil }
      return CaptureSpec(.events(path), label: "events \(text)", range: member.keyRange)
    case "xpath":
      guard let text = plainText(node, as: "xpath"), let spec = xpath(text, at: node) else { return nil }
      return CaptureSpec(.xpath(spec), label: "xpath \(text)", range: member.keyRange)
    case "header", "cookie", "link":
      guard let name = field(node, .text) else { return nil }
      if member.key == "header", let literal = name.literal?.string, !isToken(literal) {
        bag.error("\"\(jsonEscaped(literal))\" is not a header name", at: node.range)
      }
      let source: CaptureSpec.Source =
        switch member.key {
        case "header": .header(name)
        case "cookie": .cookie(name)
        default: .link(name)
        }
      return CaptureSpec(source, label: "\(member.key) \(node.scalar?.text ?? "")", range: member.keyRange)
    case "timing":
      let phase = constant(node, as: "timing", ValueDecoder<TimingPhase>.word())
      return phase.map { CaptureSpec(.timing($0), label: "timing \($0.rawValue)", range: member.keyRange) }
    case "certificate" where node.plainText != nil:
      let attribute = constant(node, as: "certificate", ValueDecoder<CertificateAttribute>.word())
      return attribute.map {
        CaptureSpec(.certificate($0), label: "certificate \($0.rawValue)", range: member.keyRange)
      }
    default:
      // `{status: true}` reads well beside `as` or `secret`.
      guard case .bool(true)? = node.scalar?.meaning, let source = bareSources[member.key] else {
        if isUsable(node) {
          bag.error(
            "`\(member.key)` takes no value to capture it", at: node.range, notes: useNote(node),
            help: node.plainText?.hasPrefix("$") == true
              ? "write {json: \(node.range.text)}"
              : "write `\(member.key): true` here, or the bare word `\(member.key)`")
        }
        return nil
      }
      return CaptureSpec(source, label: member.key, range: member.keyRange)
    }
  }
}

extension CaptureSpec {
  /// A source alone.
  fileprivate init(_ source: Source, label: String, range: SourceRange) {
    self.init(
      source: source, regex: nil, group: nil, conversion: nil, defaultValue: nil, isSecret: false, range: range,
      label: label)
  }
}
