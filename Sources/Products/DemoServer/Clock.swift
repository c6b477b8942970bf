import LibC
import Values

/// The time of the system clock.
var secondsSince1970: Int { Int(time(nil)) }

/// The time in RFC 3339's format, in whole seconds.
func now() -> String {
  Timestamp(seconds: Int64(secondsSince1970)).iso8601
}
