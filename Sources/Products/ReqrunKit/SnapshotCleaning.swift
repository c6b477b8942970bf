import OperatingSystem
import RequestSpecs
import SpecExecution

/// Finds the snapshots that no request uses: in the folders of the files that ran, and in folders beside these whose
/// spec no longer exists.
struct SnapshotCleaning {
  private let store: SnapshotStore
  private let fileAccess: @Sendable (String) -> FileAccess
  private let removes: Bool
  private var lookedAt: Set<String> = []
  /// The names of the files in messages.
  private(set) var unused: [String] = []

  init(store: SnapshotStore, fileAccess: @escaping @Sendable (String) -> FileAccess, removes: Bool) {
    self.store = store
    self.fileAccess = fileAccess
    self.removes = removes
  }

  /// - Parameter isUsed: whether steps of other files run it, possibly for rows, each of which has its own names.
  mutating func clean(_ file: PlannedFile, isUsed: Bool) {
    guard let folder = folder(of: file.path) else { return }
    let (names, requests) = store.used(in: folder)
    // If a request with a template in its snapshot's name didn't run, its snapshot is unknown.
    let snapshots = file.snapshots
    if requests.isSuperset(of: isUsed ? snapshots.atRunTime.union(snapshots.known.keys) : snapshots.atRunTime) {
      clean(folder, except: names.union(snapshots.known.values))
    }
    let directory = parentDirectory(of: file.path)
    guard let collection = canonicalPath(path(SnapshotFolder.collection, in: directory)),
      lookedAt.insert(collection).inserted
    else { return }
    for spec in directoryEntries(collection) where SnapshotFolder.isOfSpec(spec) {
      guard pathKind(path(spec, in: directory)) == .nothing else { continue }
      if let orphan = self.folder(of: path(spec, in: directory)) { clean(orphan, except: []) }
    }
  }

  private mutating func clean(_ folder: SnapshotFolder, except names: Set<SnapshotName>) {
    let files = folder.files(except: names)
    unused += files.map { "\(folder.shownPath)/\($0)" }
    if removes { folder.remove(files) }
  }

  /// Nil if the folder doesn't exist or is outside the file root.
  private func folder(of spec: String) -> SnapshotFolder? {
    let relative = SnapshotFolder.relativePath(of: spec)
    guard let path = try? fileAccess(spec).directory(relative, beside: spec, makes: false, isOnlyRead: true),
      pathKind(path) == .directory
    else { return nil }
    return SnapshotFolder(path: path, spec: spec)
  }

  private func path(_ name: String, in directory: String) -> String {
    directory == "." ? name : directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }
}
