import HTTPMessages
import Values
import YAMLNodes

/// The words of `session.cookies`.
package enum CookiePolicy: String, Sendable, CaseIterable {
  /// The jar of the file's run.
  case keep
  case none
  /// One jar of the whole run, for all files that say so.
  case shared
}

package struct SessionSettings: Sendable {
  package var cookies = Setting<Field<CookiePolicy>>.inherited
  package var cache = Setting<Field<CachePolicy>>.inherited
  package var cacheDirectory = Setting<Field<Text>>.inherited
  package var maxConnectionsPerHost = Setting<Field<Int>>.inherited

  func over(_ base: SessionSettings) -> SessionSettings {
    var result = SessionSettings()
    result.cookies = cookies.over(base.cookies)
    result.cache = cache.over(base.cache)
    result.cacheDirectory = cacheDirectory.over(base.cacheDirectory)
    result.maxConnectionsPerHost = maxConnectionsPerHost.over(base.maxConnectionsPerHost)
    return result
  }
}

/// The word for what people switch on or off.
private func switchWord(_ value: Value, _ on: String, _ off: String) -> String? {
  switch value {
  case .bool(let isOn): return "`\(isOn ? on : off)`"
  case .text(let text):
    if ["on", "yes"].contains(text.string) { return "`\(on)`" }
    return ["off", "no"].contains(text.string) ? "`\(off)`" : nil
  default: return nil
  }
}

private let sessionKeys = KeyTable(
  known: ["cookies", "cache", "cache_directory", "max_connections_per_host"],
  shape: "{cookies: none}, {cache: protocol} or both")

extension SpecReader {
  mutating func session(_ node: YAMLNode) -> SessionSettings {
    var result = SessionSettings()
    if node.isNull {
      (result.cookies, result.cache, result.cacheDirectory) = (.removed, .removed, .removed)
      result.maxConnectionsPerHost = .removed
      return result
    }
    visit(node, as: "`session`", keys: sessionKeys) { reader, member in
      switch member.key {
      case "cookies": result.cookies = reader.setting(member.value, .word { switchWord($0, "keep", "none") })
      case "cache": result.cache = reader.setting(member.value, .word { switchWord($0, "protocol", "ignore") })
      case "cache_directory": result.cacheDirectory = reader.setting(member.value, .text)
      default: result.maxConnectionsPerHost = reader.setting(member.value, .integer(1...1000))
      }
    }
    return result
  }
}
