import LibC

package func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// A variable that configures programs: an empty one counts as unset.
package func environmentSetting(_ name: String) -> String? {
  environmentValue(name).flatMap { $0.isEmpty ? nil : $0 }
}

/// The time of the system clock, since 1970.
package func currentTime() -> (seconds: Int64, nanoseconds: Int32) {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return (Int64(time.tv_sec), Int32(time.tv_nsec))
}

package var processIdentifier: Int32 { getpid() }

package var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The name of this machine; nil if it has none.
package var hostName: String? {
  var name = [CChar](repeating: 0, count: 256)
  guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
  return name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
