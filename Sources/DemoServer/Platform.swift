#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Values

/// The time, in whole seconds, as RFC 3339 has it.
func now() -> String {
  Timestamp(seconds: Int64(time(nil))).iso8601
}
