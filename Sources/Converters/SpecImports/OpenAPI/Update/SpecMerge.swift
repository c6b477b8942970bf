import Values
import YAMLNodes

/// A merge of what has changed between two imports into a text: members that are as in the old import become those of the
/// new one, others are left to a person.
struct SpecMerge {
  let path: String
  var editor: YAMLEditor
  var changes: [SpecUpdate.Change] = []
  /// The requests that are merged, and not yet in the text.
  var merged: [MergedRequest] = []
  /// The lines of the items of lists.
  var knownLines: [YAMLEditor.Step: [Range<Int>]] = [:]
  /// Indicates a request that is in a file of another name now, whose captures and secrets may have other names there.
  var isMoved = false

  init(path: String, editor: YAMLEditor) { (self.path, self.editor) = (path, editor) }

  /// The keys whose items are merged by what they call.
  private static let requestKeys: Set<String> = ["setup", "requests", "teardown", "flows"]
  /// The keys whose members requests read.
  private static let declarationKeys = ["needs", "variables"]

  /// - Parameters:
  ///   - path: the place of a mapping in the text.
  ///   - name: the request, for messages; nil for the file.
  mutating func merge(_ old: YAMLNode, _ new: YAMLNode, at path: [YAMLEditor.Step], name: String?) {
    let keys = (new.members ?? []).map(\.key)
    for (index, member) in (new.members ?? []).enumerated() where !isOfRequests(member.key, path) {
      let before = old[member.key]
      let place = path + [.key(member.key)]
      if before.map({ $0.isSame(as: member.value) }) ?? false { continue }
      let own = editor.value(at: place)
      if own.map({ $0.isSame(as: member.value) }) ?? false { continue }
      if let before = before?.rows, let after = member.value.rows, let own = own?.rows {
        mergeRows(before, after, own, at: place, name)
        continue
      }
      // Other requests may read secrets that the document doesn't need any more.
      if isSecrets(member.key, path), own?.items != nil {
        addItems(of: member.value, notIn: before, and: own ?? member.value, at: place, name, reports: false)
        continue
      }
      if mayReadOthers(member.value), member.value.members == nil || own?.members == nil {
        // What it reads in its own file stays.
        if !(own.map { FlowText.of($0).contains("${{") } ?? false) {
          leave(place, name, "is \(shown(member.value)) in the document")
        }
        continue
      }
      switch (before, own) {
      case (nil, nil): add(member, before: keys.dropFirst(index + 1), at: path, name)
      case (let before, let own?)
      where own.members?.isEmpty == false && member.value.members != nil && (before ?? own).members != nil
        && !own.isShared:
        merge(before ?? .mapping([]), member.value, at: place, name: name)
      case (let before?, let own?) where own.isSame(as: before):
        change(place, name, "is \(shown(member.value)) now, was \(shown(before))") {
          editor throws(YAMLEditor.Problem) in
          try editor.set(member.value, at: place)
        }
      case (let before, let own?) where own.items != nil && member.value.items != nil:
        addItems(of: member.value, notIn: before, and: own, at: place, name)
      // A person's name of a request stays.
      case (_?, _) where member.key == "name" && name != nil: break
      default: leave(place, name, "is \(shown(member.value)) in the document")
      }
    }
    for member in old.members ?? []
    where new[member.key] == nil && !isOfRequests(member.key, path) && !isSecrets(member.key, path)
      && !isOfDeclarations(member.key, path)
    {
      remove(member, at: path, name)
    }
  }

  /// Removes variables and needs that aren't in the document any more.
  ///
  /// - Parameter readNames: returns the names that are read, and stay.
  mutating func removeDeclarations(_ old: YAMLNode, _ new: YAMLNode, except readNames: () -> Set<String>) {
    let secrets = editor.value(at: [.key("secrets")])?.items ?? []
    for (index, secret) in secrets.enumerated().reversed() {
      // A variable has the name in place of a secret.
      guard let name = secret.scalar?.text, new["variables"]?[name] != nil, old["variables"]?[name] == nil,
        old["secrets"]?.items?.contains(where: { $0.isSame(as: secret) }) ?? false
      else { continue }
      // A list can't be empty.
      let isLast = editor.value(at: [.key("secrets")])?.items?.count == 1
      commentOut([.key("secrets")] + (isLast ? [] : [.item(index)]), "The variable `\(name)` in its place")
    }
    for key in Self.declarationKeys {
      guard let all = old.members?.first(where: { $0.key == key }) else { continue }
      let gone = (all.value.members ?? []).filter { new[key]?[$0.key] == nil }
      if gone.isEmpty { continue }
      // A secret has the name in place of a variable.
      let read = readNames().subtracting(new["secrets"]?.items?.compactMap { $0.scalar?.text } ?? [])
      let unread = gone.filter { !read.contains($0.key) }
      if new[key] == nil, unread.count == gone.count {
        remove(all, at: [], nil)
      } else {
        for member in unread { remove(member, at: [.key(key)], nil) }
      }
    }
  }

  private func isOfDeclarations(_ key: String, _ path: [YAMLEditor.Step]) -> Bool {
    path.isEmpty && Self.declarationKeys.contains(key)
      || path.count == 1 && Self.declarationKeys.contains { path == [.key($0)] }
  }

  private func isSecrets(_ key: String, _ path: [YAMLEditor.Step]) -> Bool { path.isEmpty && key == "secrets" }

  private func mayReadOthers(_ node: YAMLNode) -> Bool {
    isMoved && FlowText.of(node).contains("${{")
  }

  private func isOfRequests(_ key: String, _ path: [YAMLEditor.Step]) -> Bool {
    path.isEmpty && Self.requestKeys.contains(key)
  }

  private mutating func add(
    _ member: YAMLMember, before later: ArraySlice<String>, at path: [YAMLEditor.Step], _ name: String?
  ) {
    let known = editor.value(at: path)?.members?.map(\.key) ?? []
    let next = later.first { known.contains($0) }
    change(path + [.key(member.key)], name, "is new: \(shown(member.value))") { editor throws(YAMLEditor.Problem) in
      if let next {
        try editor.add(member.value, as: member.key, to: path, before: next)
      } else {
        try editor.set(member.value, at: path + [.key(member.key)])
      }
    }
  }

  private mutating func addItems(
    of new: YAMLNode, notIn old: YAMLNode?, and own: YAMLNode, at path: [YAMLEditor.Step], _ name: String?,
    reports: Bool = true
  ) {
    let known = (old?.items ?? []) + (own.items ?? [])
    let added = (new.items ?? []).filter { item in item.scalar != nil && !known.contains { $0.isSame(as: item) } }
    var count = own.items?.count ?? 0
    for item in added {
      change(path, name, "also has \(shown(item))") { editor throws(YAMLEditor.Problem) in
        try editor.insert(item, at: path + [.item(count)])
      }
      count += 1
    }
    if added.isEmpty, reports { leave(path, name, "is \(shown(new)) in the document") }
  }

  private mutating func remove(_ member: YAMLMember, at path: [YAMLEditor.Step], _ name: String?) {
    let place = path + [.key(member.key)]
    guard let own = editor.value(at: place) else { return }
    if own.isSame(as: member.value) {
      change(place, name, "is not in the document any more", done: ": commented out") {
        editor throws(YAMLEditor.Problem) in
        try editor.commentOut(place, because: "Not in the document any more:")
      }
    } else if let members = member.value.members, own.members != nil, !own.isShared {
      for member in members { remove(member, at: place, name) }
    } else {
      leave(place, name, "is not in the document any more")
    }
  }

  /// Returns whether the item is a comment now.
  @discardableResult
  mutating func commentOut(_ path: [YAMLEditor.Step], _ text: String) -> Bool {
    // A list can't be empty.
    let isLast = path.count == 2 && path.isTeardown && editor.value(at: [path[0]])?.items?.count == 1
    let path = isLast ? [path[0]] : path
    make(at: path, "\(text): commented out", orLeave: "\(text): left as it is") { editor throws(YAMLEditor.Problem) in
      try editor.commentOut(path, because: "\(text):")
    }
    return changes.last?.isLeft == false
  }

  mutating func leave(_ text: String, at place: [YAMLEditor.Step]) {
    changes.append(SpecUpdate.Change(path: path, line: line(of: place), text: text, isLeft: true))
  }

  mutating func leave(_ place: [YAMLEditor.Step], _ name: String?, _ text: String) {
    leave("\(subject(place, name)) \(text): left as it is", at: place)
  }

  mutating func change(
    _ place: [YAMLEditor.Step], _ name: String?, _ text: String, done: String = "",
    _ change: (inout YAMLEditor) throws(YAMLEditor.Problem) -> Void
  ) {
    let text = "\(subject(place, name)) \(text)"
    make(at: place, text + done, orLeave: "\(text): left as it is", change)
  }

  private mutating func make(
    at place: [YAMLEditor.Step], _ text: String, orLeave problem: String,
    _ change: (inout YAMLEditor) throws(YAMLEditor.Problem) -> Void
  ) {
    let before = editor.utf8.count { $0 == 0x0A }
    let line = editor.value(at: place) == nil ? nil : line(of: place)
    do throws(YAMLEditor.Problem) {
      try change(&editor)
      let line = line ?? self.line(of: place)
      changes.shift(in: path, behind: line ?? 0, by: editor.utf8.count { $0 == 0x0A } - before)
      changes.append(SpecUpdate.Change(path: path, line: line, text: text, isLeft: false))
    } catch {
      leave(problem, at: place)
    }
  }

  /// The line of a place, or of the nearest one around it; nil for the whole file.
  private func line(of place: [YAMLEditor.Step]) -> Int? {
    var known = place
    while !known.isEmpty, editor.value(at: known) == nil { known.removeLast() }
    if known.isEmpty { return nil }
    if case .key(let key)? = known.last, let parent = editor.value(at: Array(known.dropLast())) {
      return parent.members?.first { $0.key == key }?.keyRange.start.line
    }
    return editor.value(at: known)?.range.start.line
  }

  /// `login: query.page`
  func subject(_ place: [YAMLEditor.Step], _ name: String?) -> String {
    let keys = place.drop { step in step.isItem || Self.requestKeys.contains { step == .key($0) } }
    let words = keys.compactMap { step in if case .key(let key) = step { key } else { nil } }
    return (name.map { "\($0): " } ?? "") + words.joined(separator: ".")
  }

  /// A value in one short line.
  func shown(_ node: YAMLNode) -> String {
    let text = FlowText.of(node)
    return text.count > 60 ? String(text.prefix(57)) + "…" : text
  }
}

extension YAMLEditor.Step {
  fileprivate var isItem: Bool {
    if case .item = self { return true }
    return false
  }
}

extension YAMLNode {
  /// Indicates whether it stands elsewhere, as the target of an alias.
  fileprivate var isShared: Bool { useSite != nil }
}

extension [SpecUpdate.Change] {
  /// Moves the lines behind one of a file.
  mutating func shift(in path: String, behind line: Int, by count: Int) {
    if count == 0 { return }
    for index in indices where self[index].path == path {
      if let own = self[index].line, own > line { self[index].line = own + count }
    }
  }
}
