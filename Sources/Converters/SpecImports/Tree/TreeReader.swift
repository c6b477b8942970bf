extension ImportedCollection {
  /// Adds the files of trees, whose requests inherit.
  mutating func add(_ trees: [ImportedTree]) {
    if trees.count == 1 {
      name = trees[0].name
      description = trees[0].root.scope.description
    }
    for tree in trees {
      // The variables of a further tree are its own where another has the name for something else.
      let known = Set(variables.map(\.name))
      let own = tree.root.scope.variables.filter { known.contains($0.name) }
      variables += tree.root.scope.variables.filter { !known.contains($0.name) }
      var reader = TreeReader(tree: tree)
      reader.read(variables: own)
      files += reader.files
      untranslated += reader.untranslated
    }
  }
}

/// Makes files of a tree: each request gets what the folders around it say.
struct TreeReader {
  let tree: ImportedTree
  private(set) var files: [ImportedFile] = []
  private(set) var untranslated: [Untranslated] = []
  /// The values that scripts have set up to the current request, where they differ from those before.
  var current: [String: ImportedVariable] = [:]
  /// The number of places that read each variable.
  private(set) lazy var allUses = Self.uses(in: tree)

  /// The number of requests from which on the folders within a folder become files of their own.
  private static let manyRequests = 40

  mutating func read(variables: [ImportedVariable]) {
    var inherited = Inheritance()
    untranslated = inherited.enter(tree.root.scope)
    inherited.variables = variables
    var file = ImportedFile(path: tree.path + [tree.fileName])
    file.name = tree.path.isEmpty ? nil : tree.fileName
    read(tree.root, inherited, below: tree.path, isSplit: true, as: file)
    if !tree.captures.isEmpty { putCapturesFirst() }
  }

  /// Reads a folder as a file.
  ///
  /// - Parameter isSplit: whether the folders within become files of their own.
  private mutating func read(
    _ folder: ImportedFolder, _ inherited: Inheritance, below path: [String], isSplit: Bool, as file: ImportedFile
  ) {
    var file = file
    file.variables = inherited.variables
    file.comments = folder.scope.comments
    let start = files.count
    read(folder, inherited, below: path, names: isSplit ? nil : [], into: &file)
    // Remarks alone make no file.
    if file.requests.isEmpty, files.count > start {
      files[start].untranslated = file.untranslated + files[start].untranslated
    } else if !file.requests.isEmpty || !file.untranslated.isEmpty {
      files.insert(file, at: tree.tool == .bruno ? start : files.count)
    }
  }

  /// - Parameter names: the folders within the file around the items; nil if folders become files.
  private mutating func read(
    _ folder: ImportedFolder, _ inherited: Inheritance, below path: [String], names: [String]?,
    into file: inout ImportedFile
  ) {
    for item in folder.items {
      switch item {
      case .other(let part): file.untranslated.append(part)
      case .request(let item): read(item(), names ?? [], inherited, into: &file)
      case .folder(let folder):
        var inner = inherited
        let remarks = inner.enter(folder.scope)
        let title = folder.scope.name
        if let names {
          file.untranslated += remarks
          file.comments += folder.scope.comments
          inner.inner.replace(with: folder.scope.variables)
          read(folder, inner, below: path, names: title.isEmpty ? names : names + [title], into: &file)
        } else {
          let path = path + [folder.fileName ?? (title.isEmpty ? "folder" : title)]
          var own = ImportedFile(path: path)
          own.name = title.isEmpty ? nil : title
          own.description = folder.scope.description
          own.untranslated = remarks
          inner.variables.replace(with: folder.scope.variables)
          let isLarge = folder.count > Self.manyRequests && path.count < 8
          read(folder, inner, below: path, isSplit: isLarge || tree.tool == .bruno, as: own)
        }
      }
    }
  }

  /// Puts the requests first, and their files, whose responses others read wherever they stand.
  private mutating func putCapturesFirst() {
    let names = Set(tree.captures.values.flatMap { $0.map(\.key) })
    func isRead(_ request: ImportedRequest) -> Bool { request.captures.contains { names.contains($0.key) } }
    for index in files.indices {
      let requests = files[index].requests
      files[index].requests = requests.filter(isRead) + requests.filter { !isRead($0) }
    }
    files = files.filter { $0.requests.contains(where: isRead) } + files.filter { !$0.requests.contains(where: isRead) }
  }
}

/// The parts of requests that the folders around them give.
struct Inheritance {
  private(set) var auth = ImportedAuth.nothing
  private(set) var headers: [ImportedRequest.Header] = []
  /// The effects of the scripts around it, less what could not be translated.
  private(set) var effects = ScriptEffects()
  /// The scripts around it that the request's name decides, and those after them, and their remarks.
  private(set) var scripts: [ImportedScript] = []
  private(set) var remarks: Set<Untranslated> = []
  /// The variables of the file, and those of the folders within it.
  var variables: [ImportedVariable] = []
  var inner: [ImportedVariable] = []

  /// Adds what a folder or a collection says of its requests; returns what could not be translated.
  mutating func enter(_ scope: ImportedScope) -> [Untranslated] {
    headers = headers(before: scope.headers)
    auth = scope.auth ?? auth
    var found: [Untranslated] = []
    for script in scope.scripts {
      var outcome = effects
      outcome.read(script, isShared: true)
      if scripts.isEmpty, !script.readsRequestName {
        effects = outcome
      } else {
        scripts.append(script)
      }
      // What depends on the name is read with each request.
      found += outcome.untranslated.filter { !ImportedScript.readsRequestName($0.source) }
      effects.untranslated = []
    }
    remarks.formUnion(found)
    return scope.untranslated + found
  }

  /// The headers with those of a scope within, in place of others of their names.
  func headers(before own: [ImportedRequest.Header]) -> [ImportedRequest.Header] {
    let names = Set(own.map { $0.name.source.lowercased() })
    return headers.filter { !names.contains($0.name.source.lowercased()) } + own
  }
}

extension ImportedFolder {
  /// The number of requests.
  fileprivate var count: Int {
    items.reduce(0) { count, item in
      if case .folder(let folder) = item { count + folder.count } else { count + 1 }
    }
  }
}

extension [ImportedVariable] {
  /// Adds the variables whose names are not there yet.
  mutating func addMissing(_ others: [ImportedVariable]) {
    for variable in others where !contains(where: { $0.name == variable.name }) { append(variable) }
  }

  /// Adds variables in place of those of their names.
  mutating func replace(with others: [ImportedVariable]) {
    for variable in others {
      removeAll { $0.name == variable.name }
      append(variable)
    }
  }
}
