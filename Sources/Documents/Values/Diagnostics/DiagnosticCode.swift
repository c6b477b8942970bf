/// The kind of mistake that a diagnostic is about. A name is stable: programs filter by it.
///
/// `Diagnostics.md` explains each one under a heading of its name.
package enum DiagnosticCode: String, CaseIterable, Sendable {
  // MARK: YAML

  case yamlSyntax = "yaml-syntax"
  case yamlStructure = "yaml-structure"
  case yamlIndentation = "yaml-indentation"
  case yamlQuoting = "yaml-quoting"
  case yamlUnclosed = "yaml-unclosed"
  case yamlComment = "yaml-comment"
  case yamlTag = "yaml-tag"
  case yamlAnchor = "yaml-anchor"
  case textEncoding = "text-encoding"
  case limitExceeded = "limit-exceeded"

  // MARK: Keys and values

  case unknownKey = "unknown-key"
  case misplacedKey = "misplaced-key"
  case missingKey = "missing-key"
  case duplicateKey = "duplicate-key"
  case conflictingKeys = "conflicting-keys"
  case orphanedKey = "orphaned-key"
  case missingValue = "missing-value"
  case emptyValue = "empty-value"
  case wrongType = "wrong-type"
  case unknownValue = "unknown-value"
  case invalidValue = "invalid-value"
  case invalidName = "invalid-name"
  case noEffect = "no-effect"

  // MARK: Templates and names

  case templateSyntax = "template-syntax"
  case templateNotAllowed = "template-not-allowed"
  case templateEvaluation = "template-evaluation"
  case foreignTemplate = "foreign-template"
  case missingTemplate = "missing-template"
  case unknownName = "unknown-name"
  case unavailableName = "unavailable-name"
  case conflictingNames = "conflicting-names"
  case unusedName = "unused-name"
  case circularReference = "circular-reference"
  case unknownEnvironment = "unknown-environment"
  case suspiciousRows = "suspicious-rows"

  // MARK: Requests

  case invalidURL = "invalid-url"
  case invalidHeader = "invalid-header"
  case contentTypeMismatch = "content-type-mismatch"
  case unsuitableMethod = "unsuitable-method"
  case suspiciousURL = "suspicious-url"
  case suspiciousHeader = "suspicious-header"
  case suspiciousBody = "suspicious-body"
  case suspiciousRequest = "suspicious-request"
  case suspiciousStream = "suspicious-stream"
  case graphqlQuery = "graphql-query"
  case graphqlVariable = "graphql-variable"
  case graphqlErrors = "graphql-errors"
  case uncheckedCertificate = "unchecked-certificate"

  // MARK: Expectations

  case jsonpathSyntax = "jsonpath-syntax"
  case xpathSyntax = "xpath-syntax"
  case regexSyntax = "regex-syntax"
  case suspiciousPattern = "suspicious-pattern"
  case unknownPredicate = "unknown-predicate"
  case mismatchedPredicate = "mismatched-predicate"
  case misplacedTag = "misplaced-tag"
  case alwaysTrue = "always-true"
  case alwaysFalse = "always-false"

  // MARK: Schemas and contracts

  case invalidSchema = "invalid-schema"
  case invalidContract = "invalid-contract"
  case suspiciousSchema = "suspicious-schema"
  case unresolvedReference = "unresolved-reference"

  // MARK: Files and runs

  case missingFile = "missing-file"
  case unreadableFile = "unreadable-file"
  case outsideFileRoot = "outside-file-root"
  case exposedFile = "exposed-file"
  case unwritableFile = "unwritable-file"
  case invalidFile = "invalid-file"
  case notASpec = "not-a-spec"
  case unusableFile = "unusable-file"
  case unknownRequest = "unknown-request"
  case nothingToRun = "nothing-to-run"
  case invalidOption = "invalid-option"
  case importSource = "import-source"
  case incompleteConversion = "incomplete-conversion"
  case unsupported = "unsupported"
  case failedRequest = "failed-request"
}
