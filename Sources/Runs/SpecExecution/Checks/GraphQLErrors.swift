import DocumentQueries
import Matching
import RequestSpecs
import Templates
import Values

/// The `errors` of a GraphQL response with a successful status.
package struct GraphQLErrors {
  package let response: Response
  package let request: RequestStep
  package let scope: FileScope
  /// The assertions that apply.
  let assertions: [Assertion]

  private static let name = "errors"

  /// Fails the request for errors that `expect` doesn't mention; a failure status is left to the validation.
  package func check(_ report: inout StepReport) {
    guard case .graphQL(_, _, _, _, let range)? = request.settings.body.value,
      (200..<300).contains(response.head.status) || response.head.status == 101
    else { return }
    if case .some(.none) = request.settings.validate.value { return }
    let own = assertions.filter(speaksOfErrors)
    if !own.isEmpty { return warn(of: own, &report) }
    report.assertionCount += 1
    let actual: String
    do throws(Response.Unreadable) {
      let errors = errors(in: try response.json().root)
      guard let first = errors.first else { return }
      actual = text(of: first, more: errors.count - 1)
    } catch {
      guard response.head.headers.first("Content-Type")?.lowercased().contains("json") ?? false else { return }
      actual = scope.registry.masked(message: "a body that is not JSON: \(error.message)")
    }
    var failure = AssertionReport(
      subject: "graphql errors", range: range.firstLine, expected: "a response without `errors`", actual: actual,
      hint: "if they are right, say so under `expect`: \(way)")
    failure.cause = .status
    report.failures.append(failure)
  }

  /// Warns of errors of which `expect` only denies a text: that keeps them from failing the request.
  private func warn(of own: [Assertion], _ report: inout StepReport) {
    guard own.allSatisfy(deniesText), let root = try? response.json().root, let error = errors(in: root).first else {
      return
    }
    var warnings = ResponseWarnings(registry: scope.registry)
    warnings.report(
      Doubt(
        "the response has errors, and this keeps them from failing the request",
        expected: Text("a response without `errors`"), actual: Text(text(of: error, more: errors(in: root).count - 1)),
        hint: "write {exists: false}, or {exists: true} beside it if they are right"),
      of: own[0].label, at: own[0].range)
    report.warnings += warnings.warnings
  }

  /// Returns whether an assertion only denies that all errors together, which are a list of objects, are or contain a
  /// text.
  private func deniesText(_ assertion: Assertion) -> Bool {
    guard case .json(let spec) = assertion.subject, (try? spec.resolve(in: scope))?.text == "$.errors" else {
      return false
    }
    let predicates = predicates(of: assertion)
    return !predicates.isEmpty
      && predicates.allSatisfy { predicate in
        guard predicate.kind.isNegation else { return false }
        return switch predicate.operand {
        case .value(.text), .pattern: true
        default: false
        }
      }
  }

  /// The errors of the response, or of all events of a stream.
  private func errors(in root: JSONNode) -> [JSONNode] {
    let results = root.kind == .list ? root.items.compactMap { $0[member: "json"] } : [root]
    return results.flatMap { result -> [JSONNode] in
      // The payload of an `error` message.
      if result.kind == .list { return result.items }
      guard let errors = result[member: GraphQLErrors.name], errors.kind != .null else { return [] }
      return errors.kind == .list ? errors.items : [errors]
    }
  }

  private func text(of error: JSONNode, more: Int) -> String {
    let message = error[member: "message"]
    let shown = message?.kind == .text ? message?.string ?? "" : error.kind == .text ? error.string : error.text
    var text = "\"\(Excerpt(shown, limit: 300))\""
    if let place = error[member: "locations"]?.items.first, let line = place[member: "line"]?.text,
      let column = place[member: "column"]?.text
    {
      text += " (line \(line), column \(column) of the query)"
    }
    return scope.registry.masked(message: text + (more > 0 ? ", and \(counted(more, "more error"))" : ""))
  }

  // MARK: expectations

  /// The way to expect errors.
  private var way: String {
    switch request.settings.stream?.format {
    case .websocket: "{events: {\"[*].json.errors\": …}} or {\"[?@.type == 'error']\": …}"
    case .some: "{events: {\"[*].json.errors[0].message\": …}}"
    case nil: "{json: {\"$.errors[0].message\": …}}"
    }
  }

  private var isWebSocket: Bool { request.settings.stream?.format == .websocket }

  private func speaksOfErrors(_ assertion: Assertion) -> Bool {
    let written = (assertion.places.target ?? assertion.range).text
    switch assertion.subject {
    case .json(let spec):
      // A path that cannot be resolved is a failure of its own.
      guard let path = try? spec.resolve(in: scope) else { return true }
      if let name = path.firstName { return name == GraphQLErrors.name }
      return path.text == "$"
        ? predicates(of: assertion).contains(where: speakOfErrors) : path.text.contains(GraphQLErrors.name)
    case .events(let spec):
      // A WebSocket has messages of the type `error`, too.
      let name = isWebSocket ? "error" : GraphQLErrors.name
      return spec.text.contains(name) || written.contains(name)
    case .body: return predicates(of: assertion).contains(where: \.isEquality) || written.contains(GraphQLErrors.name)
    case .schema: return request.schema(of: assertion)?.names(property: GraphQLErrors.name) ?? false
    default: return false
    }
  }

  private func predicates(of assertion: Assertion) -> [Predicate] {
    guard case .predicates(let specs) = assertion.check else { return [] }
    return specs.compactMap { try? $0.resolve(in: scope) }
  }

  /// Returns whether a predicate on the root of the response depends on its errors.
  private func speakOfErrors(_ predicate: Predicate) -> Bool {
    if predicate.isEquality { return true }
    return switch predicate.operand {
    case .value(.mapping(let mapping)): mapping[GraphQLErrors.name] != nil
    case .value(.text(let text)): predicate.kind.operand == .part && text.string == GraphQLErrors.name
    case .predicates(let inner): predicate.kind === PredicateKind.not && inner.contains(where: speakOfErrors)
    case .shape(let shaped): shaped.names(member: GraphQLErrors.name)
    default: false
    }
  }
}

extension Predicate {
  /// Indicates whether it determines the whole value.
  fileprivate var isEquality: Bool {
    if case .shape(let shaped) = operand { return shaped.demandsAll }
    return kind === PredicateKind.equals || kind === PredicateKind.oneOf
  }
}
