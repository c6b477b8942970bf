import LibC
import Values

/// The time of the system's clock.
var secondsSince1970: Int { Int(time(nil)) }

/// The time, in whole seconds, as RFC 3339 has it.
func now() -> String {
  Timestamp(seconds: Int64(secondsSince1970)).iso8601
}
