import SpecExecution
import Testing

/// A message of a server, and its consequences.
private struct CourseCase: Sendable, CustomTestStringConvertible {
  let name: String
  var dialect = SubscriptionCourse.Dialect.current
  let message: String
  let steps: [SubscriptionCourse.Step]

  var testDescription: String { name }
}

private let cases: [CourseCase] = [
  CourseCase(
    name: "the acknowledgement", message: #"{"type": "connection_ack"}"#,
    steps: [.send(#"{"id":"1","type":"subscribe","payload":{"query":"q"}}"#)]),
  CourseCase(
    name: "the older acknowledgement", dialect: .older, message: #"{"type": "connection_ack", "payload": {}}"#,
    steps: [.send(#"{"id":"1","type":"start","payload":{"query":"q"}}"#)]),
  CourseCase(
    name: "a result", message: #"{"id": "1", "type": "next", "payload": {"data": {"n": 1.0}}}"#,
    steps: [.event(type: "next", payload: #"{"data": {"n": 1.0}}"#)]),
  CourseCase(
    name: "an older result", dialect: .older, message: #"{"id": "1", "type": "data", "payload": {"data": null}}"#,
    steps: [.event(type: "next", payload: #"{"data": null}"#)]),
  CourseCase(name: "a result of another", message: #"{"id": "2", "type": "next", "payload": {}}"#, steps: []),
  CourseCase(
    name: "errors", message: #"{"id": "1", "type": "error", "payload": [{"message": "m"}]}"#,
    steps: [.event(type: "error", payload: #"[{"message": "m"}]"#), .end]),
  CourseCase(name: "the end", message: #"{"id": "1", "type": "complete"}"#, steps: [.end]),
  CourseCase(
    name: "a ping", message: #"{"type": "ping", "payload": [1]}"#, steps: [.send(#"{"type":"pong","payload":[1]}"#)]),
  CourseCase(name: "a pong", message: #"{"type": "pong"}"#, steps: []),
  CourseCase(name: "an older sign of life", dialect: .older, message: #"{"type": "ka"}"#, steps: []),
  CourseCase(
    name: "an older refusal", dialect: .older, message: #"{"type": "connection_error", "payload": {"message": "no"}}"#,
    steps: [.failure(#"the server refuses the connection: {"message": "no"}"#)]),
  CourseCase(
    name: "a type of the other protocol", message: #"{"type": "data", "id": "1"}"#,
    steps: [.failure(#"a message of the type "data", which graphql-transport-ws doesn't have"#)]),
  CourseCase(
    name: "no JSON", message: "hello", steps: [.failure("a message that is not of graphql-transport-ws: hello")]),
  CourseCase(
    name: "no type", dialect: .older, message: #"{"type": 1}"#,
    steps: [.failure(#"a message that is not of graphql-ws: {"type": 1}"#)]),
]

@Suite("GraphQL subscriptions over WebSockets")
struct SubscriptionCourseTests {
  @Test("Each message of a server has its consequences", arguments: cases)
  private func steps(_ example: CourseCase) {
    var course = SubscriptionCourse(example.dialect, query: #"{"query":"q"}"#, connection: nil)
    #expect(course.receive(example.message) == example.steps)
  }

  @Test("The first message has the payload of the spec, and a second acknowledgement begins nothing")
  func opening() {
    var course = SubscriptionCourse(.current, query: "{}", connection: #"{"token":"t"}"#)
    #expect(course.opening == #"{"type":"connection_init","payload":{"token":"t"}}"#)
    #expect(course.receive(#"{"type":"connection_ack"}"#).count == 1)
    #expect(course.receive(#"{"type":"connection_ack"}"#) == [])
    #expect(SubscriptionCourse(.older, query: "{}", connection: nil).opening == #"{"type":"connection_init"}"#)
  }

  @Test("Each protocol has its own messages for the end of a subscription")
  func closing() {
    #expect(
      SubscriptionCourse(.current, query: "{}", connection: nil).closing == [#"{"id":"1","type":"complete"}"#])
    #expect(
      SubscriptionCourse(.older, query: "{}", connection: nil).closing
        == [#"{"id":"1","type":"stop"}"#, #"{"type":"connection_terminate"}"#])
  }
}
