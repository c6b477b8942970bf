import DocumentQueries
import Testing

@Suite("Messages of a WebSocket as events")
struct MessageEventTests {
  @Test(
    "As JSON",
    arguments: [
      (
        StreamEvent(message: "text", "hi", isSent: true), #"{"direction":"sent","type":"text","text":"hi"}"#
      ),
      (
        StreamEvent(message: "text", "{\"a\": 1.0}", isSent: false),
        #"{"direction":"received","type":"text","text":"{\"a\": 1.0}","json":{"a": 1.0}}"#
      ),
      (StreamEvent(message: "text", "", isSent: true), #"{"direction":"sent","type":"text","text":""}"#),
      (StreamEvent(message: "text", "{", isSent: true), #"{"direction":"sent","type":"text","text":"{"}"#),
      (
        StreamEvent(message: "binary", "AAEC", isSent: false),
        #"{"direction":"received","type":"binary","data":"AAEC"}"#
      ),
      (StreamEvent(message: "binary", "", isSent: false), #"{"direction":"received","type":"binary","data":""}"#),
      (StreamEvent(message: "ping", "", isSent: false), #"{"direction":"received","type":"ping"}"#),
      (StreamEvent(message: "pong", "aGk=", isSent: false), #"{"direction":"received","type":"pong","data":"aGk="}"#),
      // The content of a control frame is not JSON, whatever it looks like.
      (StreamEvent(message: "ping", "1234", isSent: false), #"{"direction":"received","type":"ping","data":"1234"}"#),
      (
        StreamEvent(message: "close", "done", isSent: false, code: 1000),
        #"{"direction":"received","type":"close","code":1000,"reason":"done"}"#
      ),
      (StreamEvent(message: "close", "", isSent: true), #"{"direction":"sent","type":"close"}"#),
    ])
  func json(event: StreamEvent, text: String) {
    #expect(String(decoding: event.jsonText, as: UTF8.self) == text)
    #expect(throws: Never.self) { try JSONDocument(parsing: event.jsonText) }
  }
}
