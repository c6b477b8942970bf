import Cryptography
import DocumentQueries
import RunReports
import Testing
import Values

@Suite("The page of the HTML report") struct ReportPageTests {
  @Test(
    "data in a script block neither end it nor begin a comment, and stay the same JSON",
    arguments: [
      ("plain", "plain"),
      ("</script><script>alert(1)</script>", #"\u003c/script\u003e\u003cscript\u003ealert(1)\u003c/script\u003e"#),
      ("<!--<script", #"\u003c!--\u003cscript"#),
      ("-->", #"--\u003e"#),
      ("]]>", #"]]\u003e"#),
      ("&lt;", #"\u0026lt;"#),
      ("a\u{2028}b\u{2029}c", #"a\u2028b\u2029c"#),
      // Characters whose last byte is that of U+2028 and U+2029.
      ("è\u{A9}\u{3028}\u{2128}", "è\u{A9}\u{3028}\u{2128}"),
      ("\"quoted\" \\ and\nlines\u{0}", #"\"quoted\" \\ and\nlines\u0000"#),
    ])
  func embedding(text: String, form: String) throws {
    let json = Value.text(text).jsonText().string
    let embedded = String(decoding: ReportPage.embedded(json.utf8), as: UTF8.self)
    #expect(embedded == "\"\(form)\"")
    #expect(try JSONDocument(parsing: embedded).root.value.asText.string == text)
    let block = String(decoding: ReportPage.data("class=\"rows\"", json: json.utf8), as: UTF8.self)
    #expect(block == "<script type=\"application/json\" class=\"rows\">\(embedded)</script>\n")
  }

  @Test(
    "text is not markup, in elements and attributes",
    arguments: [
      ("plain", "plain"), ("<b>", "&lt;b&gt;"), ("\" onload='x'", "&quot; onload=&#39;x&#39;"), ("&amp;", "&amp;amp;"),
    ])
  func markup(text: String, form: String) {
    #expect(ReportPage.markup(text) == form)
  }

  @Test("the policy names the page's own script and style sheet, and nothing else may run or load")
  func policy() throws {
    let page = String(
      decoding: ReportPage.opening(title: "</title><script>", isGood: true, plain: "<p>plain</p>") + ReportPage.closing,
      as: UTF8.self)
    func part(_ start: String, _ end: String) throws -> String {
      let from = try #require(page.firstRange(of: start)).upperBound
      let to = try #require(page[from...].firstRange(of: end)).lowerBound
      return String(page[from..<to])
    }
    func hash(_ text: String) -> String { "'sha256-\(base64Encoded(DigestAlgorithm.sha256.digest(of: text)))'" }
    let policy = try part("Content-Security-Policy\" content=\"", "\"")
    #expect(policy.hasPrefix("default-src 'none'; "))
    let (script, style) = (try part("<script>", "</script>"), try part("<style>", "</style>"))
    #expect(policy.contains("script-src \(hash(script)); "))
    #expect(policy.contains("style-src \(hash(style)); "))
    #expect(!policy.contains("unsafe") && !policy.contains("http"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
    // What a policy of these hashes would block, and what could load or run.
    for word in [
      " style=", " onclick=", "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "import(",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
  }
}
