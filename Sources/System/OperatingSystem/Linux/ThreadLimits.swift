/// Returns whether limits allow that many more threads, even if all threads of the system counted; false if that isn't
/// known.
func limitsAllowThreads(_ count: Int) -> Bool {
  guard addressSpaceLimit() == .max, case .success(let load) = readFile("/proc/loadavg") else { return false }
  // "0.20 0.18 0.12 1/80 11206": the fourth field has the running and all threads.
  let fields = load.split { $0 == 0x20 || $0 == 0x2F }
  guard fields.count > 4, let threads = number(fields[4]) else { return false }
  return threads + count < processLimit() && controlGroupsAllow(threads + count)
}

/// Returns whether the process's control groups allow that many processes and threads: cgroups(7), `pids.max`.
private func controlGroupsAllow(_ count: Int) -> Bool {
  guard case .success(let groups) = readFile("/proc/self/cgroup") else { return false }
  for line in groups.split(separator: 0x0A) {
    // "0::/user.slice" for all controllers of version 2, "8:pids:/" for one of version 1.
    let fields = line.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[1].isEmpty || fields[1].elementsEqual("pids".utf8) else { continue }
    let root = fields[1].isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids"
    var group = String(decoding: fields[2], as: UTF8.self)
    while true {
      if case .success(let text) = readFile(root + group + "/pids.max"), let limit = number(text.dropLast()),
        limit < count
      {
        return false
      }
      guard group.count > 1, let slash = group.lastIndex(of: "/") else { break }
      group = slash == group.startIndex ? "/" : String(group[..<slash])
    }
  }
  return true
}

/// The number that digits are; nil for any other text, such as `max`.
private func number(_ bytes: ArraySlice<UInt8>) -> Int? { Int(String(decoding: bytes, as: UTF8.self)) }
