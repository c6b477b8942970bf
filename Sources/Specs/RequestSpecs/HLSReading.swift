import Diagnostics
import Templates
import Transfers
import Values
import YAMLNodes

private let hlsKeys = KeyTable(
  known: ["to", "parallel", "variant", "renditions", "live"],
  synonyms: ["directory": "to", "path": "to", "duration": "live", "for": "live", "audio": "renditions"],
  advice: [
    "bandwidth": "write `variant: {bandwidth: {at_most: …}}`", "resolution": "write `variant: {resolution: …}`",
  ])
private let variantKeys = KeyTable(known: ["bandwidth", "resolution"])
private let bandwidthKeys = KeyTable(known: ["at_most"], synonyms: ["max": "at_most"])

extension SpecReader {
  mutating func hls(_ node: YAMLNode) -> Setting<HLSSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    if node.members == nil {
      return field(node, .filePath).map { .given(HLSSpec(to: $0, range: node.range)) } ?? .inherited
    }
    let errorsBefore = bag.errorCount
    var target: Field<FileReference>?
    var parallel: Field<Int>?
    var variant = (order: Field<VariantChoice.Order>?.none, bandwidth: Field<Int>?.none, size: Field<Resolution>?.none)
    var renditions: Field<RenditionChoice>?
    var live: Field<Duration>?
    visit(node, as: "`hls`", keys: hlsKeys) { reader, member in
      switch member.key {
      case "to": target = reader.field(member.value, .filePath)
      case "parallel": parallel = reader.field(member.value, .integer(1...64))
      case "renditions": renditions = reader.field(member.value, .word())
      case "live": live = reader.field(member.value, .liveDuration)
      case _ where member.value.members == nil: variant.order = reader.field(member.value, .variantOrder)
      default: (variant.bandwidth, variant.size) = reader.variant(member.value)
      }
    }
    guard let target else {
      if bag.errorCount == errorsBefore {
        bag.error("`hls` needs `to`, the directory for the stream", at: node.range, notes: useNote(node))
      }
      return .inherited
    }
    var spec = HLSSpec(to: target, range: node.range)
    spec.parallel = parallel
    (spec.order, spec.maxBandwidth, spec.resolution) = variant
    spec.renditions = renditions
    spec.live = live
    return .given(spec)
  }

  private mutating func variant(_ node: YAMLNode) -> (Field<Int>?, Field<Resolution>?) {
    var bandwidth: Field<Int>?
    var resolution: Field<Resolution>?
    visit(node, as: "`variant`", keys: variantKeys) { reader, member in
      if member.key == "resolution" {
        resolution = reader.field(member.value, .resolution)
      } else if member.value.scalar != nil {
        reader.bag.error(
          "`bandwidth` is a mapping, found \(member.value.kindPhrase)", at: member.value.range,
          notes: reader.useNote(member.value), help: "write {at_most: …}, in bits per second")
      } else {
        reader.visit(member.value, as: "`bandwidth`", keys: bandwidthKeys) { reader, member in
          bandwidth = reader.field(member.value, .integer(1...Int.max))
        }
      }
    }
    if node.members?.isEmpty == true {
      bag.error(
        "an empty mapping chooses nothing", at: node.range, notes: useNote(node),
        help: "write `highest`, `lowest`, {bandwidth: {at_most: …}} or {resolution: …}")
    }
    return (bandwidth, resolution)
  }
}

extension ValueDecoder where Output == Duration {
  fileprivate static var liveDuration: ValueDecoder {
    positive("a live stream is followed for longer than 0", help: "write a duration such as 30s")
  }
}

extension ValueDecoder where Output == Resolution {
  /// `1280x720`
  fileprivate static var resolution: ValueDecoder {
    ValueDecoder("a size such as 1280x720", .pattern("^[0-9]+x[0-9]+$")) { value throws(DecodingProblem) in
      if case .text(let text) = value { Resolution(parsing: text.string) } else { nil }
    }
  }
}

extension ValueDecoder where Output == VariantChoice.Order {
  fileprivate static var variantOrder: ValueDecoder {
    let words = word { value in
      guard case .text(let text) = value else { return nil }
      if ["best", "max", "worst", "min"].contains(text.string) {
        return ["best", "max"].contains(text.string) ? "`highest`" : "`lowest`"
      }
      if Resolution(parsing: text.string) != nil { return "{resolution: \(text.string)}" }
      let isNearlyWord = likelyWord(for: text.string, among: ["highest", "lowest"]) != nil
      return isNearlyWord ? nil : "`highest`, `lowest`, {resolution: 1280x720} or {bandwidth: {at_most: 3000000}}"
    }
    return ValueDecoder("highest, lowest, or {bandwidth: {at_most: …}} or {resolution: …}", words.shape) {
      value throws(DecodingProblem) in
      if case .text = value { try words.decode(value) } else { nil }
    }
  }
}
