import HTTPSemantics
import Testing

struct MediaTypeTests {
  @Test(
    "common endings have one response everywhere",
    arguments: [
      ("a.txt", "text/plain"), ("a.TXT", "text/plain"), ("dir.json/a.png", "image/png"),
      ("a.b.json", "application/json"),
      ("a.tar.gz", "application/gzip"), ("a.html", "text/html"), ("a.yml", "application/yaml"),
      ("noending", "application/octet-stream"),
      (".json", "application/octet-stream"), ("a.", "application/octet-stream"), ("", "application/octet-stream"),
      ("a.no-such-ending", "application/octet-stream"), ("a.js", "text/javascript"), ("ä.pdf", "application/pdf"),
    ])
  func common(_ name: String, _ type: String) {
    #expect(mediaType(ofFileNamed: name) == type)
  }
}
