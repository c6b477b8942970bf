import HTTPSemantics
import Values

/// The values of `session.cookies`.
package enum CookiePolicy: String, Sendable, CaseIterable {
  /// The jar of the file's run.
  case keep
  case none
  /// One jar of the whole run, for all files with this value.
  case shared
}

package struct SessionSettings: Sendable {
  package var cookies = Setting<Field<CookiePolicy>>.inherited
  package var cache = Setting<Field<CachePolicy>>.inherited
  package var cacheDirectory = Setting<Field<Text>>.inherited
  package var maxConnectionsPerHost = Setting<Field<Int>>.inherited

  package init() {}
}

/// The keyword for a boolean value.
private func switchWord(_ value: Value, _ on: String, _ off: String) -> String? {
  switch value {
  case .bool(let isOn): return "`\(isOn ? on : off)`"
  case .text(let text):
    if ["on", "yes"].contains(text.string) { return "`\(on)`" }
    return ["off", "no"].contains(text.string) ? "`\(off)`" : nil
  default: return nil
  }
}

extension SessionSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<SessionSettings>(
    [
      SettingKey(
        SessionKey.cookies.rawValue, "`keep` (a jar of the file's run), `none`, or `shared` (one jar of the whole run)",
        .field(.word { switchWord($0, "keep", "none") }), { $0.cookies }, { $0.cookies = $1 }),
      SettingKey(
        SessionKey.cache.rawValue, "how stored responses are used",
        .field(.word { switchWord($0, "protocol", "ignore") }),
        { $0.cache }, { $0.cache = $1 }),
      SettingKey(
        SessionKey.cacheDirectory.rawValue, "where responses are stored", .field(.text), { $0.cacheDirectory },
        { $0.cacheDirectory = $1 }),
      SettingKey(
        SessionKey.maxConnectionsPerHost.rawValue, "the maximum number of connections to a host",
        .field(.integer(1...1000)),
        { $0.maxConnectionsPerHost }, { $0.maxConnectionsPerHost = $1 }),
    ], shape: "{cookies: none}, {cache: protocol} or both")
}
