import Foundation
import Testing
import Values
import YAMLNodes

struct RangeTests {
  @Test(arguments: [
    ("plain", "a: x y  # c\n", "x y"),
    ("quotes belong to it", "a: 'x y'\n", "'x y'"),
    ("tag and anchor do not", "a: &n !uuid\n  x\n", "x"),
    ("anchor and verbatim tag", "a: &n !<tag:yaml.org,2002:str>   x\n", "x"),
    ("tag in a list in brackets", "a: [!!str x, 1]\n", "[!!str x, 1]"),
    ("flow mapping", "a: !each {b: 1}  # c\n", "{b: 1}"),
    ("block mapping ends at its last value", "a:\n  b: 1\n  c: 2 # c\n\n\nd: 1\n", "b: 1\n  c: 2"),
    ("anchored block mapping", "a: &n # c\n  # d\n  b: 1\nc: 1\n", "b: 1"),
    ("block list", "a:\n- 1\n- 2\n# c\nb: 1\n", "- 1\n- 2"),
    ("block list that ends in a block text", "a:\n- 1\n- |\n  x\n\nb: 1\n", "- 1\n- |\n  x"),
    ("literal", "a: |-\n  x\n  y\n\nb: 1\n", "|-\n  x\n  y"),
    ("folded after a comment", "a: > # c\n  x\nb: 1\n", "> # c\n  x"),
    ("after what is not ASCII", "größe: 東京\n", "東京"),
    ("a tag alone is all there is", "a: !uuid # c\nb: 1\n", "!uuid"),
    ("a tag before a text", "a: !regex x # c\nb: 1\n", "x"),
  ])
  func nodeRange(name: String, yaml: String, text: String) throws {
    let reading = YAMLReading(yaml)
    #expect(reading.messages == [])
    #expect(reading.root?.members?.first?.value.range.text == text)
  }

  @Test func aSinglePairInBracketsEndsWithItsValue() throws {
    let pair = YAMLReading("[a: 1 , b]").root?.items?.first
    #expect(pair?.range.text == "a: 1")
  }

  @Test(arguments: [
    ("plain", "a: x ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("not ASCII", "a: größe ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("double-quoted", "a: \"x ${{ b }}\"\n", "${{ b }}", "${{ b }}"),
    ("after an escape", #"a: "\tx\u00e9 ${{ b }}""#, "${{ b }}", "${{ b }}"),
    ("the escape itself", #"a: "x\u00e9y""#, "é", #"\u00e9"#),
    ("after a doubled quote", "a: 'it''s ${{ b }}'\n", "${{ b }}", "${{ b }}"),
    ("second line of a plain text", "a: x\n  ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("after an empty line", "a: x\n\n  ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("second line of a quoted text", "a: \"x  \n   ${{ b }}\"\n", "${{ b }}", "${{ b }}"),
    ("after a continued line", "a: \"x\\\n   \\ ${{ b }}\"\n", "${{ b }}", "${{ b }}"),
    ("literal", "a: |\n  x\n    ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("literal with an indicator", "a: |2\n    x\n  ${{ b }}\n", "${{ b }}", "${{ b }}"),
    ("literal with CRLF", "a: |\r\n  x\r\n  ${{ b }}\r\n", "${{ b }}", "${{ b }}"),
    ("folded", "a: >\n  x\n  y ${{ b }}\n\n  z\n", "${{ b }}", "${{ b }}"),
    ("folded, indented deeper", "a: >\n  x\n    ${{ b }}\n  y\n", "${{ b }}", "${{ b }}"),
    ("across a fold", "a: ${{ b |\n  c }}\n", "${{ b | c }}", "${{ b |\n  c }}"),
    ("tagged", "a: !!str ${{ b }}\n", "${{ b }}", "${{ b }}"),
  ])
  func rangeOfText(name: String, yaml: String, part: String, source: String) throws {
    let reading = YAMLReading(yaml)
    #expect(reading.messages == [])
    let node = try #require(reading.root?.members?.first?.value)
    let text = try #require(node.scalar?.text)
    let range = try #require(text.range(of: part))
    let utf8 = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    #expect(node.range(ofText: utf8..<utf8 + part.utf8.count).text == source)
  }

  @Test func aRangeOutsideTheTextIsTheWholeNode() throws {
    let node = try #require(YAMLReading("a: xyz\n").root?.members?.first?.value)
    #expect(node.range(ofText: 2..<9).text == "xyz")
    #expect(node.range(ofText: 3..<3).bytes == 6..<6)
    #expect(node.range(ofText: 1..<1).bytes == 4..<4)
  }

  @Test(arguments: [
    ("cut", "a: http://x/ #top\n", "#top"),
    ("two spaces", "a: http://x/  # note\nb: 1\n", "# note"),
    ("no space", "a: http://x/#top\n", nil),
    ("quoted", "a: 'x' # note\n", nil),
    ("next line", "a: x\n# note\n", nil),
    ("mapping", "a: {b: x} # note\n", nil),
  ])
  func trailingComment(name: String, yaml: String, comment: String?) throws {
    let node = try #require(YAMLReading(yaml).root?.members?.first?.value)
    #expect(YAMLReader.trailingCommentCut(of: node)?.text == comment)
  }
}
