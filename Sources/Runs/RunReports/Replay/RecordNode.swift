import JSONQueries
import Values

/// An object of a JSON report that is read: everything is checked, since a report may come from anywhere.
struct RecordNode {
  private let node: JSONNode
  /// The offset of the record that it is part of.
  private let offset: Int

  init(_ node: JSONNode, offset: Int) {
    self.node = node
    self.offset = offset
  }

  func text(_ name: String) throws(ReportFault) -> String {
    guard let text = try optionalText(name) else { throw missing(name) }
    return text
  }

  func optionalText(_ name: String) throws(ReportFault) -> String? {
    guard let value = node[member: name] else { return nil }
    guard value.kind == .text else { throw fault(name, "no text") }
    return value.string
  }

  /// The value whose name a text is.
  func word<Word: RawRepresentable<String>>(_ name: String, as type: Word.Type = Word.self) throws(ReportFault) -> Word
  {
    guard let word = Word(rawValue: try text(name)) else { throw fault(name, "none of the known words") }
    return word
  }

  func optionalWord<Word: RawRepresentable<String>>(
    _ name: String, as type: Word.Type = Word.self
  ) throws(ReportFault) -> Word? {
    node[member: name] == nil ? nil : try word(name)
  }

  /// Returns whether a flag is set.
  func flag(_ name: String) throws(ReportFault) -> Bool {
    guard let value = node[member: name] else { return false }
    guard value.kind == .boolean else { throw fault(name, "neither true nor false") }
    return value.isBoolean(true)
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ReportFault) -> Int {
    guard let number = try optionalInteger(name, in: range) else { throw missing(name) }
    return number
  }

  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(ReportFault) -> Int? {
    guard let value = node[member: name] else { return nil }
    guard value.kind == .number, let number = Int(value.string), range.contains(number) else {
      throw fault(name, "no integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number of things; so few that sums of all in any number of reports are integers.
  func count(_ name: String) throws(ReportFault) -> Int { try integer(name, in: RecordNode.counts) }

  static let counts = 0...1_000_000_000

  func duration(_ name: String) throws(ReportFault) -> Duration {
    guard let duration = try optionalDuration(name) else { throw missing(name) }
    return duration
  }

  func optionalDuration(_ name: String) throws(ReportFault) -> Duration? {
    guard let value = node[member: name] else { return nil }
    guard value.kind == .number, let duration = exactDuration(value.string) ?? roundedDuration(value.string) else {
      throw fault(name, "no number of seconds from 0 to 1000000000")
    }
    return duration
  }

  /// The duration of seconds with at most nine decimals.
  private func exactDuration(_ text: String) -> Duration? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]), (0...1_000_000_000).contains(seconds),
      parts.count == 1 || parts[1].utf8.count <= 9, let fraction = parts.count == 1 ? 0 : Int64(parts[1])
    else { return nil }
    let scale = (parts.count == 1 ? 0 : parts[1].utf8.count)..<9
    return .seconds(seconds) + .nanoseconds(scale.reduce(fraction) { value, _ in value * 10 })
  }

  /// The same as other programs may write it, such as `2.7e-05`.
  private func roundedDuration(_ text: String) -> Duration? {
    guard let seconds = Double(text), (0...1e9).contains(seconds) else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  func time(_ name: String) throws(ReportFault) -> Timestamp {
    guard let time = try optionalTime(name) else { throw missing(name) }
    return time
  }

  func optionalTime(_ name: String) throws(ReportFault) -> Timestamp? {
    guard let text = try optionalText(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw fault(name, "no date and time") }
    return time
  }

  func object<Item>(
    _ name: String, _ read: (RecordNode) throws(ReportFault) -> Item
  ) throws(ReportFault) -> Item {
    guard let item = try optionalObject(name, read) else { throw missing(name) }
    return item
  }

  func optionalObject<Item>(
    _ name: String, _ read: (RecordNode) throws(ReportFault) -> Item
  ) throws(ReportFault) -> Item? {
    guard let value = node[member: name] else { return nil }
    guard value.kind == .mapping else { throw fault(name, "no object") }
    return try read(RecordNode(value, offset: offset))
  }

  /// Objects; none if the member is missing.
  func list<Item>(_ name: String, _ read: (RecordNode) throws(ReportFault) -> Item) throws(ReportFault) -> [Item] {
    guard let value = node[member: name] else { return [] }
    return try items(of: value, name, read)
  }

  /// Lists of objects; none if the member is missing.
  func lists<Item>(_ name: String, _ read: (RecordNode) throws(ReportFault) -> Item) throws(ReportFault) -> [[Item]] {
    guard let value = node[member: name] else { return [] }
    guard value.kind == .list else { throw fault(name, "no list") }
    var lists: [[Item]] = []
    for list in value.items { lists.append(try items(of: list, name, read)) }
    return lists
  }

  private func items<Item>(
    of list: JSONNode, _ name: String, _ read: (RecordNode) throws(ReportFault) -> Item
  ) throws(ReportFault) -> [Item] {
    guard list.kind == .list else { throw fault(name, "no list") }
    var items: [Item] = []
    items.reserveCapacity(list.count)
    for item in list.items {
      guard item.kind == .mapping else { throw fault(name, "no list of objects") }
      items.append(try read(RecordNode(item, offset: offset)))
    }
    return items
  }

  func texts(_ name: String) throws(ReportFault) -> [String] {
    guard let value = node[member: name] else { return [] }
    guard value.kind == .list, value.items.allSatisfy({ $0.kind == .text }) else {
      throw fault(name, "no list of texts")
    }
    return value.items.map(\.string)
  }

  private func missing(_ name: String) -> ReportFault { ReportFault("`\(name)` is missing", at: offset) }

  /// - Parameter form: the form of the member, such as `no text`.
  func fault(_ name: String, _ form: String) -> ReportFault { ReportFault("`\(name)` is \(form)", at: offset) }
}
