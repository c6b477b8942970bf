import Foundation
import HTTPSemantics
import TestSupport
import Testing

@Suite struct ContentDispositionTests {
  @Test(
    "Names as browsers read them",
    arguments: [
      ("attachment; filename=foo bar.html", "foo bar.html"),
      ("attachment; filename=foo,bar.html", "foo,bar.html"),
      ("attachment; filename=\"foo.html\".txt", "foo.html"),
      ("attachment; filename=\"foo.html\"; filename=\"bar.html\"", "foo.html"),
      ("attachment; filename=foo.html ;", "foo.html"),
      ("attachment; filename=\"bar", "bar"),
      ("filename=foo.html", "foo.html"),
      ("; filename=foo.html", "foo.html"),
      ("attachment; filename=", nil),
      ("attachment; filename=\"\"", nil),
      ("attachment", nil),
      ("", nil),
      // What can't be read leaves the plain name.
      ("attachment; filename=a.txt; filename*=UTF-8''b%", "a.txt"),
      ("attachment; filename=a.txt; filename*=UTF-8'b.txt", "a.txt"),
      ("attachment; filename=a.txt; filename*=KOI8-R''b.txt", "a.txt"),
      ("attachment; filename*=UTF-8''..%2F..%2Fb.txt", "../../b.txt"),
      ("attachment; filename=\"a\u{22}\u{301}; x=y", "a"),
    ])
  func namesAsBrowsersReadThem(header: String, name: String?) {
    #expect(ContentDisposition(parsing: header).fileName == name)
  }

  private struct Case: Decodable {
    struct Expectation: Decodable {
      let type: String
      let parameters: [String: String]
    }
    let header: String
    let expect: Expectation?
  }

  @Test("The cases of content-disposition", .enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set"))
  func theCasesOfContentdisposition() throws {
    let path = "\(conformanceRoot ?? "")/content-disposition/parse_strict.json"
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let good = cases.filter { $0.expect != nil }
    #expect(good.count > 70)
    for one in good {
      let read = ContentDisposition(parsing: one.header)
      #expect(read.type == one.expect?.type, "\(one.header)")
      #expect(read.fileName == one.expect?.parameters["filename"], "\(one.header)")
    }
    // What is wrong is read as far as it goes.
    for one in cases where one.expect == nil { _ = ContentDisposition(parsing: one.header).fileName }
  }
}
