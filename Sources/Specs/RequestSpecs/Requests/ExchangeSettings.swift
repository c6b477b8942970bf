import HTTPSemantics
import Matching
import Templates
import Values

/// One option of `encoding:`.
package enum EncodingOption: Sendable {
  case format(EncodingOptions.Format)
  case destination(EncodingOptions.Destination)
  case array(EncodingOptions.ArrayEncoding)
  case bool(EncodingOptions.BoolEncoding)
  case data(EncodingOptions.DataEncoding)
  case date(EncodingOptions.DateEncoding)
  case key(EncodingOptions.KeyEncoding)
  case keyPath(EncodingOptions.KeyPathEncoding)
  case null(EncodingOptions.NilEncoding)
  case space(EncodingOptions.SpaceEncoding)
  case sort(Bool)
  case json(JSONLayout)
}

package struct EncodingSettings: Sendable {
  package struct Entry: Sendable {
    package let key: String
    package let option: Field<EncodingOption>?
  }

  /// `encoding: alamofire`: starts again from Alamofire's own defaults.
  package var preset: EncodingOptions?
  package var entries: [Entry] = []

  static let removed: EncodingSettings = {
    var settings = EncodingSettings()
    settings.preset = .standard
    return settings
  }()

  func over(_ base: EncodingSettings) -> EncodingSettings {
    if preset != nil { return self }
    var result = base
    for entry in entries {
      result.entries.removeAll { $0.key == entry.key }
      result.entries.append(entry)
    }
    return result
  }

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> EncodingOptions {
    var options = preset ?? .standard
    for entry in entries {
      guard let field = entry.option else { continue }
      switch try field.resolve(in: scope) {
      case .format(let value): options.format = value
      case .destination(let value): options.destination = value
      case .array(let value): options.arrayEncoding = value
      case .bool(let value): options.boolEncoding = value
      case .data(let value): options.dataEncoding = value
      case .date(let value): options.dateEncoding = value
      case .key(let value): options.keyEncoding = value
      case .keyPath(let value): options.keyPathEncoding = value
      case .null(let value): options.nilEncoding = value
      case .space(let value): options.spaceEncoding = value
      case .sort(let value): options.sort = value
      case .json(let value): options.json = value
      }
    }
    return options
  }
}

package struct TimeoutSettings: Sendable {
  package var connect = Setting<Field<Duration>>.inherited
  package var request = Setting<Field<Duration>>.inherited
  package var resource = Setting<Field<Duration>>.inherited

  package init() {}
}

package enum RedirectMode: String, Sendable, CaseIterable { case follow, none }

package struct RedirectSettings: Sendable {
  package var mode = Setting<Field<RedirectMode>>.inherited
  package var max = Setting<Field<Int>>.inherited
  package var keepMethod = Setting<Field<Bool>>.inherited
  package var allowHTTP = Setting<Field<Bool>>.inherited
  package var trustHosts = Setting<[Field<Text>]>.inherited

  package init() {}
}

/// `skip`: false, or with a reason.
package enum SkipRule: Sendable, Hashable {
  case no
  case yes(reason: String?)
}

package enum ValidateSpec: Sendable {
  case auto
  case none
  case rules(status: Field<StatusSet>?, contentTypes: [Field<Text>]?)
}
