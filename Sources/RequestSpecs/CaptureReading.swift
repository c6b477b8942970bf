import Diagnostics
import HTTPMessages
import JSONQueries
import Matching
import RegularExpressions
import Templates
import Values
import YAMLNodes

private let captureSources = [
  "json", "header", "cookie", "regex", "link", "timing", "body", "status", "url", "duration", "bytes", "redirects",
  "http_version", "remote_address",
]

private let captureKeys = KeyTable(
  known: captureSources + ["as", "default", "secret"], later: ["xpath", "certificate"],
  misplaced: ["jsonpath": "write `json`", "path": "write `json`"])

extension SpecReader {
  mutating func captures(_ node: YAMLNode) -> KeyedSettings<CaptureSpec> {
    keyed(node, as: "capture") { reader, member in
      if Template.isTemplate(member.key) {
        reader.bag.error("a capture's name takes no template", at: member.keyRange)
        return nil
      }
      if !isVariableName(member.key) || reservedNames.contains(member.key) {
        reader.bag.error(
          "\"\(jsonEscaped(member.key))\" is not a name that a template can read", at: member.keyRange,
          help: "use letters, digits and `_`, beginning with a letter")
        return nil
      }
      return reader.capture(member.value)
    }
  }

  private mutating func capture(_ node: YAMLNode) -> CaptureSpec? {
    if let scalar = node.scalar {
      guard case .text(let text) = scalar.meaning else {
        bag.error("a capture takes a JSONPath or a source, found \(node.kindPhrase)", at: node.range)
        return nil
      }
      if text.hasPrefix("$") {
        return jsonPath(text, range: node.range, node: node).map {
          CaptureSpec(
            source: .json($0), regex: nil, conversion: nil, defaultValue: nil, isSecret: false, range: node.range,
            label: "json \(text)")
        }
      }
      guard let source = bareSource(text) else {
        let words = captureSources + ["$.path"]
        bag.error(
          "`\(jsonEscaped(text))` is not something to capture", at: node.range,
          help: suggestion(text, among: words) ?? "write a JSONPath such as $.id, or {header: …}, {cookie: …}, {regex: …}")
        return nil
      }
      return CaptureSpec(
        source: source, regex: nil, conversion: nil, defaultValue: nil, isSecret: false, range: node.range,
        label: text)
    }
    return captureMapping(node)
  }

  private func bareSource(_ word: String) -> CaptureSpec.Source? {
    switch word {
    case "body": .body
    case "status": .status
    case "url": .url
    case "duration": .duration
    case "bytes": .bytes
    case "redirects": .redirects
    case "http_version": .httpVersion
    case "remote_address": .remoteAddress
    default: nil
    }
  }

  private mutating func captureMapping(_ node: YAMLNode) -> CaptureSpec? {
    var source: (source: CaptureSpec.Source, label: String)?
    var regex: Field<PatternSpec>?
    var conversion: CaptureSpec.Conversion?
    var defaultValue: ValueTemplate?
    var isSecret = false
    let before = bag.diagnostics.count
    visit(node, as: "a capture", keys: captureKeys) { reader, member in
      switch member.key {
      case "regex": regex = reader.field(member.value, .pattern)
      case "as":
        conversion = reader.field(member.value, ValueDecoder<CaptureSpec.Conversion>.word())?.literal
      case "default": defaultValue = reader.valueTemplate(member.value)
      case "secret": isSecret = reader.field(member.value, .boolean)?.literal ?? false
      default:
        if source != nil {
          reader.bag.error("a capture has one source", at: member.keyRange)
        } else {
          source = reader.captureSource(member)
        }
      }
    }
    guard bag.diagnostics.count == before else { return nil }
    if source == nil, regex != nil { source = (.body, "body") }
    guard let source else {
      bag.error(
        "a capture needs a source", at: node.range, help: "one of \(captureSources.joined(separator: ", "))")
      return nil
    }
    return CaptureSpec(
      source: source.source, regex: regex, conversion: conversion, defaultValue: defaultValue, isSecret: isSecret,
      range: node.range, label: source.label)
  }

  private mutating func captureSource(_ member: YAMLMember) -> (source: CaptureSpec.Source, label: String)? {
    let node = member.value
    switch member.key {
    case "json":
      guard let text = plainText(node, as: "json"), let path = jsonPath(text, range: node.range, node: node) else {
        return nil
      }
      return (.json(path), "json \(text)")
    case "header": return field(node, .text).map { (.header($0), "header \(node.range.text)") }
    case "cookie": return field(node, .text).map { (.cookie($0), "cookie \(node.range.text)") }
    case "link": return field(node, .text).map { (.link($0), "link \(node.range.text)") }
    case "timing":
      return field(node, ValueDecoder<TimingPhase>.word())?.literal.map { (.timing($0), "timing \($0.rawValue)") }
    default:
      // `{status: true}` reads well beside `as` or `secret`.
      guard field(node, .boolean)?.literal == true, let source = bareSource(member.key) else {
        bag.error("write `\(member.key): true` here, or the bare word `\(member.key)`", at: node.range)
        return nil
      }
      return (source, member.key)
    }
  }
}

extension ValueDecoder where Output == PatternSpec {
  static var pattern: ValueDecoder {
    ValueDecoder("a regular expression") { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      return try compilePattern(text)
    }
  }
}
