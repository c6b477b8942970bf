import SpecExecution
import Testing

@Suite("Link headers (RFC 8288)")
struct LinkTargetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]
    let target: String?

    init(_ name: String, _ lines: String..., target: String?) {
      testDescription = name
      self.lines = lines
      self.target = target
    }
  }

  @Test(arguments: [
    Case("quoted", "</p2>; rel=\"next\"", target: "/p2"),
    Case("a token", "</p2>; rel=next", target: "/p2"),
    Case("in capitals", "</p2>; REL=\"Next\"", target: "/p2"),
    Case("second of a line", "</p0>; rel=prev, </p2>; rel=next", target: "/p2"),
    Case("second line", "</p0>; rel=prev", "</p2>; rel=next", target: "/p2"),
    Case("one of several relations", "</p2>; rel=\"last next\"", target: "/p2"),
    Case("other parameters before", "</p2>; title=\"a, <b>; rel=prev\"; rel=\"next\"", target: "/p2"),
    Case("a target with commas", "<http://h/a,b;c>; rel=next", target: "http://h/a,b;c"),
    Case("only the first rel counts", "</p2>; rel=prev; rel=next", target: nil),
    Case("part of another word", "</p2>; rel=nextpage", target: nil),
    Case("the word in a title", "</p2>; title=\" next \"; rel=prev", target: nil),
    Case("no relation", "</p2>", target: nil),
    Case("one of something else", "</p2>; rel=next; anchor=\"#part\"", target: nil),
    Case("an empty anchor", "</p2>; rel=next; anchor=\"\"", target: "/p2"),
    Case("no link", "next", target: nil),
    Case("an unclosed target", "</p2; rel=next", target: nil),
    Case("an unclosed quote", "</p2>; rel=\"next", target: "/p2"),
  ])
  func next(_ sample: Case) {
    #expect(linkTarget(sample.lines, relation: "next") == sample.target)
  }
}
