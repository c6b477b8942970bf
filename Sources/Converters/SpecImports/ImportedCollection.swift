import YAMLNodes

/// Everything that files of another tool say, ready to be written as specs.
package struct ImportedCollection: Sendable {
  package var name: String?
  package var description: String?
  package var files: [ImportedFile] = []
  /// Variables of all files.
  package var variables: [ImportedVariable] = []
  package var environments: [ImportedEnvironment] = []
  /// Files that specs name, with their paths relative to the specs' directory.
  package var attachments: [(path: String, bytes: [UInt8])] = []
  /// The paths of other files in the specs' directory.
  package var takenPaths: Set<String> = []
  /// Indicates that a file reads what files before it capture.
  package var sharesCaptures = true
  /// The paths of sources that have errors.
  package var leftOut: [String] = []
  /// The parts of no single file or request.
  package var untranslated: [Untranslated] = []

  package init() {}
}

package struct ImportedFile: Sendable {
  /// The names of folders and of the file in the source, without an extension; made into valid and unique paths when
  /// the file is written.
  package var path: [String]
  /// The part of the written file's name before its extension, such as `.boundaries`.
  var ending = ""
  package var name: String?
  package var description: String?
  package var comments: [String] = []
  package var variables: [ImportedVariable] = []
  /// Other keys of a file, such as `openapi`.
  package var settings: ImportedSettings = []
  /// The defaults that requests cannot say themselves; those that all requests share are found when the file is written.
  package var defaults: ImportedSettings = []
  package var requests: [ImportedRequest] = []
  package var untranslated: [Untranslated] = []

  package init(path: [String]) {
    self.path = path
  }
}

package struct ImportedVariable: Sendable {
  /// The name in the source.
  package var name: String
  /// A value of JSON's types keeps its type.
  package var value: ImportedValue
  /// Indicates that the source says so; a value under the name of a secret is one, too.
  package var isSecret: Bool

  package init(name: String, value: ImportedValue, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }
}

package struct ImportedEnvironment: Sendable {
  package var name: String
  package var variables: [ImportedVariable]

  package init(name: String, variables: [ImportedVariable] = []) {
    self.name = name
    self.variables = variables
  }
}

extension ImportedVariable {
  /// Indicates that templates read a text, not another of JSON's types.
  var isText: Bool {
    guard case .text(let text) = value else { return literal != nil }
    guard text.parts.count == 1, case .expression(let source) = text.parts[0] else { return true }
    return isTextInJSON(source.replacing(placeholder, with: "variable"))
  }

  /// The text that is known; nil for other values.
  var literal: String? {
    switch value {
    case .text(let text): return text.literal
    case .node(let node):
      guard case .text(let text)? = node.scalar?.meaning else { return nil }
      return text
    default: return nil
    }
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let placeholder = /{{\w+}}/
