import Values

/// Collects failures, up to a limit.
final class FailureReport {
  let limit: Int
  private(set) var failures: [RawFailure] = []
  var more = 0

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { failures.count >= limit }
  var count: Int { failures.count + more }

  func add(_ schema: SchemaNode, _ place: Int32, _ instance: Int, _ fault: SchemaFault) {
    if isFull {
      more += 1
    } else {
      failures.append(RawFailure(schema: schema, place: place, instance: instance, fault: fault))
    }
  }
}

/// A failure before it is worded.
struct RawFailure {
  let schema: SchemaNode
  /// The keyword's value in the schema's document.
  let place: Int32
  /// The value's position in the instance's document; for `propertyNames` that of the name.
  let instance: Int
  let fault: SchemaFault
}

enum SchemaFault {
  case type(TypeSet)
  case value([Value])
  case bound(NumberBound, Number)
  case multiple(Number)
  case size(SizeBound, Int, Int, noun: String)
  case pattern(String)
  /// The search was ended without a result.
  case patternGivenUp(String, String)
  case format(TextFormat)
  case content(ContentRule)
  case equalItems(Int, Int)
  case contains(ContainsRule, Int)
  /// The property that requires it, or nil if it is always required.
  case missing([UInt8], because: [UInt8]?)
  case unexpectedMember
  case unexpectedItem
  /// A property for messages of the other direction, with the keyword for that.
  case withheld(String)
  case never
  case not
  case noBranch([SchemaID], [FailureReport])
  case severalBranches([Int], of: [SchemaID])
}
