import HTTPSemantics
import Testing
import Values

/// The examples of RFC 3986, section 5.4, but those that lead away from http.
@Test(
  "A reference is resolved as RFC 3986 shows",
  arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    // Beyond the RFC's list.
    ("https://b/x/../y", "https://b/y"), ("//[::1]/x", "http://[::1]/x"), ("//[::1]:81", "http://[::1]:81/"),
    ("//B:81?q", "http://b:81/?q"), (" /g ", "http://a/g"), ("/a b/ü", "http://a/a%20b/%C3%BC"),
    ("/a%2Fb", "http://a/a%2Fb"), ("?a[]=1", "http://a/b/c/d;p?a[]=1"), ("/x:y", "http://a/x:y"),
    ("?", "http://a/b/c/d;p?"),
  ])
func resolves(_ reference: String, _ expected: String) throws {
  let base = try HTTPURL(parsing: "http://a/b/c/d;p?q#z")
  let url = try HTTPURL.resolve(reference, against: base)
  #expect(url.string + (url.fragment.map { "#" + $0 } ?? "") == expected)
}

@Test("A reference to a base without a path starts at the root")
func emptyBasePath() throws {
  let base = try HTTPURL(parsing: "http://a?q")
  #expect(try HTTPURL.resolve("x/y", against: base).string == "http://a/x/y")
  #expect(try HTTPURL.resolve("", against: base).string == "http://a/?q")
}

@Test("Userinfo stays with its authority")
func userinfo() throws {
  let base = try HTTPURL(parsing: "http://ann:pw@a/b")
  #expect(try HTTPURL.resolve("/c", against: base).userinfo == "ann:pw")
  #expect(try HTTPURL.resolve("//b/c", against: base).userinfo == nil)
  #expect(try HTTPURL.resolve("http://a/c", against: base).userinfo == nil)
}

@Test(
  "A reference that leads nowhere is refused",
  arguments: [
    "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b", "data:,x", "http:g", "http:/g", "///x", "//", "//h:x",
    "\\\\evil\\x", "/\\evil/x", "//good\\@evil", "/a\nb", "/a\u{0}b", "//[fe80::1%25eth0]/", "//%127.0.0.1/", "//a b/",
  ])
func refusesReference(_ reference: String) throws {
  let base = try HTTPURL(parsing: "http://a/b")
  #expect(throws: URLProblem.self) { try HTTPURL.resolve(reference, against: base) }
}
