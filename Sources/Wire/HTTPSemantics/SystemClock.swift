import OperatingSystem
import Values

extension Timestamp {
  /// The current time of the system clock.
  package static var now: Timestamp {
    let (seconds, nanoseconds) = currentTime()
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
