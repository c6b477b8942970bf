import Diagnostics
import RegularExpressions
import Values

/// A compiled pattern of `matches` or `regex`.
package typealias PatternSpec = RegularExpression

/// A spec file as it stands: typed, checked, not yet merged with anything.
package struct SpecFile: Sendable {
  package let source: SourceText
  /// The path as given, for reports; relative paths inside resolve against its directory.
  package let path: String
  package var name: String?
  package var description: String?
  package var tags: [String] = []
  package var extends: [Located<String>] = []
  package var variables = KeyedSettings<ValueTemplate>()
  package var secrets: [SecretDeclaration] = []
  package var contract = Setting<Field<ContractChoice>>.inherited
  package var defaults = RequestSettings()
  /// Whether there is anything in them.
  package var hasDefaults = false
  package var setup: [RequestSpec] = []
  package var requests: [RequestSpec] = []
  package var teardown: [RequestSpec] = []
  /// The keys whose content is the file's own, such as `setup`: who extends the file does not take it over.
  package var ownKeys: [Located<String>] = []
  /// Whether anything was wrong with the file: then it is checked further, but never run.
  package var hasErrors = false
  /// What keys would have declared that could not be read.
  package var missedNames = MissedNames()
  /// Whether the defaults are what was meant.
  package var knowsAllDefaults = true

  package init(source: SourceText, path: String) {
    self.source = source
    self.path = path
  }
}

/// `reqrun.yaml`: what all specs below it share.
package struct ProjectFile: Sendable {
  package let source: SourceText
  package let path: String
  package var variables = KeyedSettings<ValueTemplate>()
  package var secrets: [SecretDeclaration] = []
  package var contract = Setting<Field<ContractChoice>>.inherited
  package var defaults = RequestSettings()
  /// Whether there is anything in them.
  package var hasDefaults = false
  package var runsDemo = false
  /// What keys would have declared that could not be read.
  package var missedNames = MissedNames()
  /// Whether anything was wrong with the file: then nothing below it runs.
  package var hasErrors = false

  package init(source: SourceText, path: String) {
    self.source = source
    self.path = path
  }
}

/// A name whose value is secret: from the environment, or from a template.
package struct SecretDeclaration: Sendable {
  package let name: String
  package let range: SourceRange
  /// Nil takes the environment's variable of that name.
  package let value: ValueTemplate?
}

/// The part of a file that a request belongs to.
package enum RequestStage: String, Sendable, Hashable {
  case setup, requests, teardown
}

/// One request as it stands.
///
/// A class, for its settings are large and everything that is planned of it looks at them.
package final class RequestSpec: Sendable {
  package let name: Field<Text>?
  package let description: String?
  package let tags: [String]
  package let settings: RequestSettings
  /// Whether its URL and expectations are what was meant, so that what seems to be missing is not just mistyped.
  package let isWhole: Bool
  /// From the first to the last line of the request.
  package let range: SourceRange

  /// A request that stands in no file by itself.
  package convenience init(at range: SourceRange) {
    self.init(RequestDraft(range: range))
  }

  init(_ draft: RequestDraft) {
    name = draft.name
    description = draft.description
    tags = draft.tags
    settings = draft.settings
    isWhole = draft.isWhole
    range = draft.range
  }
}

/// A ``RequestSpec`` while it is read.
struct RequestDraft {
  var name: Field<Text>?
  var description: String?
  var tags: [String] = []
  var settings = RequestSettings()
  var isWhole = true
  let range: SourceRange

  init(range: SourceRange) {
    self.range = range
  }
}

/// What a YAML file turned out to be.
package enum LoadedFile: Sendable {
  case spec(SpecFile)
  case project(ProjectFile)
  /// An OpenAPI document, which specs may name.
  case contract
  /// No spec, and not meant as one: what it is instead, for messages.
  case other(String)
}
