import Testing
import Values

@Test(arguments: [
  ("metod", "method"), ("METHOD", "method"), ("methdo", "method"), ("header", "headers"), ("haeders", "headers"),
  ("ur", "url"), ("urll", "url"), ("x", nil), ("completely", nil), ("", nil), ("quer", "query"), ("jsno", "json"),
])
func nearestWord(word: String, nearest: String?) {
  #expect(Values.nearestWord(to: word, among: ["method", "headers", "url", "query", "json"]) == nearest)
}

@Test func theFirstOfEquallyNearWordsIsChosen() {
  #expect(nearestWord(to: "cat", among: ["bat", "car"]) == "bat")
  #expect(nearestWord(to: "cat", among: [String]()) == nil)
}

@Test(arguments: [
  ("metod", "method"), ("conn", "connection"), ("int", "integer"), ("timeout_ms", "timeout"), ("url-path", "url"),
  ("in", nil), ("names", nil), ("urlpath", nil), ("completely", nil), ("con", nil),
])
func likelyWord(word: String, likely: String?) {
  let words = ["method", "url", "connection", "contains", "integer", "timeout"]
  #expect(Values.likelyWord(for: word, among: words) == likely)
}

@Test(arguments: [
  ("nme", "name"), ("Name", "name"), ("nmae", "name"), ("pasword", "password"), ("staus", "status"),
  ("Cache-Contrl", "Cache-Control"), ("x_powered_by", "X-Powered-By"), ("xpoweredby", "X-Powered-By"),
  ("createdAt", "created_at"), ("slient", "silent"), ("from", nil), ("error", nil), ("deleted_at", nil), ("line2", nil),
  ("host", nil), ("id", nil), ("ids", nil), ("mail", nil), ("stage", nil), ("closed", nil), ("user", nil),
])
func misspeltNames(name: String, meant: String?) {
  let names = [
    "name", "password", "status", "Cache-Control", "form", "errors", "created_at", "line1", "cost", "id",
    "X-Powered-By", "email", "state", "close", "use", "silent",
  ]
  #expect(Values.misspelt(name, among: names) == meant)
}
