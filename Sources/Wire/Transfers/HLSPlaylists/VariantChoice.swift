/// The choice of a variant from a master playlist.
package struct VariantChoice: Sendable, Hashable {
  package enum Order: String, Sendable, CaseIterable {
    case highest, lowest
  }

  /// The order by bandwidth of the remaining variants.
  package var order: Order
  /// The maximum peak in bits per second.
  package var maxBandwidth: Int64?
  package var resolution: Resolution?

  package init(_ order: Order = .highest, maxBandwidth: Int64? = nil, resolution: Resolution? = nil) {
    self.order = order
    self.maxBandwidth = maxBandwidth
    self.resolution = resolution
  }
}

/// The choice of a variant's alternative audio and subtitle renditions.
package enum RenditionChoice: String, Sendable, CaseIterable {
  /// The same as a player's: the default audio or else the first, and subtitles that are on by default.
  case `default`
  case all
  case none
}

/// The error if no variant matches.
package struct VariantProblem: Error, Sendable, Hashable {
  package let wanted: String
  package let found: String
  /// Advice on matching choices.
  package let help: String?
}

extension MasterPlaylist {
  package func variant(_ choice: VariantChoice) throws(VariantProblem) -> VariantStream {
    let fitting = variants.filter { variant in
      variant.bandwidth <= choice.maxBandwidth ?? .max
        && choice.resolution.map { $0 == variant.resolution } ?? true
    }
    // The first of equal ones: the others are its backups.
    let best = fitting.reduce(nil as VariantStream?) { best, variant in
      guard let best else { return variant }
      let isBetter =
        choice.order == .highest ? variant.bandwidth > best.bandwidth : variant.bandwidth < best.bandwidth
      return isBetter ? variant : best
    }
    if let best { return best }
    let limit = 8
    let more = variants.count > limit ? " and \(variants.count - limit) more" : ""
    throw VariantProblem(
      wanted: choice.description,
      found: variants.isEmpty
        ? "a master playlist without variants"
        : variants.prefix(limit).map(\.description).joined(separator: "; ") + more,
      help: help(for: choice))
  }

  private func help(for choice: VariantChoice) -> String? {
    guard let least = variants.map(\.bandwidth).min() else { return nil }
    let alternatives = "write `highest`, `lowest` or {bandwidth: {at_most: …}} with at least \(least)"
    guard choice.resolution != nil else { return alternatives }
    let resolutions = variants.compactMap(\.resolution)
    if resolutions.isEmpty { return "none of them has a resolution: \(alternatives)" }
    return choice.maxBandwidth == nil
      ? "write {resolution: \(resolutions[0])} or another one of these, `highest` or `lowest`"
      : "none of them fits both: \(alternatives)"
  }

  /// The renditions to fetch in addition to a variant, and those that are left out.
  package func renditions(
    of variant: VariantStream, _ choice: RenditionChoice
  ) -> (wanted: [Rendition], leftOut: [Rendition]) {
    let groups: [(Rendition.Kind, String?)] = [(.audio, variant.audio), (.subtitles, variant.subtitles)]
    var wanted: [Rendition] = []
    var leftOut: [Rendition] = []
    for case (let kind, let group?) in groups {
      let all = renditions.filter { $0.kind == kind && $0.group == group }
      let preferred = all.firstIndex(where: \.isDefault) ?? (kind == .audio ? all.indices.first : nil)
      for (index, rendition) in all.enumerated() where rendition.uri != nil {
        let isWanted =
          switch choice {
          case .all: true
          case .none: false
          case .default: index == preferred
          }
        if isWanted { wanted.append(rendition) } else { leftOut.append(rendition) }
      }
    }
    return (wanted, leftOut)
  }
}

extension VariantChoice: CustomStringConvertible {
  package var description: String {
    var parts: [String] = []
    if let resolution { parts.append("of \(resolution)") }
    if let maxBandwidth { parts.append("of at most \(maxBandwidth) bits per second") }
    return (["a variant"] + parts).joined(separator: " ")
  }
}

extension VariantStream: CustomStringConvertible {
  /// The criteria in words.
  package var description: String {
    "\(bandwidth) bits per second" + (resolution.map { ", \($0)" } ?? "")
  }
}

extension Rendition: CustomStringConvertible {
  package var description: String { "\(kind.rawValue.lowercased()) \"\(excerpt(name))\"" }
}
