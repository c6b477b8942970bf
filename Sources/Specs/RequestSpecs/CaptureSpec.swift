import Diagnostics
import Templates
import Values

/// The group of a pattern that is captured.
package enum CaptureGroup: Sendable {
  /// The group's number; 0 is the whole match.
  case number(Int)
  case name(String)
  /// Several groups, as a mapping by their names.
  case names([String])
}

/// A value to capture from a response.
///
/// A class, since layers pass it on.
package final class CaptureSpec: Sendable {
  package enum Conversion: String, Sendable, CaseIterable {
    case integer, number, boolean, string, date, url, json, first
  }

  package let subject: ResponseSubject
  package let regex: Field<PatternSpec>?
  /// The group of the pattern; nil is the first, or the whole match if there is none.
  package let group: CaptureGroup?
  package let conversion: Conversion?
  package let defaultValue: ValueTemplate?
  package let isSecret: Bool
  package let range: SourceRange
  /// The subject's name in messages, such as `json $.token`.
  package let label: String

  init(
    subject: ResponseSubject, regex: Field<PatternSpec>? = nil, group: CaptureGroup? = nil,
    conversion: Conversion? = nil, defaultValue: ValueTemplate? = nil, isSecret: Bool = false, range: SourceRange,
    label: String
  ) {
    self.subject = subject
    self.regex = regex
    self.group = group
    self.conversion = conversion
    self.defaultValue = defaultValue
    self.isSecret = isSecret
    self.range = range
    self.label = label
  }

  /// The capture with null where there is no value, unless it has a default.
  var orNull: CaptureSpec {
    if defaultValue != nil { return self }
    return CaptureSpec(
      subject: subject, regex: regex, group: group, conversion: conversion,
      defaultValue: ValueTemplate(content: .literal(.null), range: range), isSecret: isSecret, range: range,
      label: label)
  }

  /// Indicates whether the value is an absolute URL.
  package var yieldsURL: Bool {
    if conversion == .url { return true }
    guard regex == nil, conversion == nil else { return false }
    switch subject {
    case .link, .url: return true
    default: return false
    }
  }
}
