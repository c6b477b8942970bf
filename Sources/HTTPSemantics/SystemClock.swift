import OperatingSystem
import Values

extension Timestamp {
  /// The time of the system's clock.
  package static var now: Timestamp {
    let (seconds, nanoseconds) = currentTime()
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
