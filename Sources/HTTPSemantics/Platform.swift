import Values

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time of the system's clock.
func currentTime() -> Timestamp {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int32(now.tv_nsec))
}
