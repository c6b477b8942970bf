import OperatingSystem
import RequestSpecs
import Testing
import Values

struct ReloadTests {
  private static let spec = """
    variables: {a: 1}
    requests:
      - name: one ${{ a }}
        url: http://h/${{ a }}
        headers: {X-A: "${{ a }}"}
        expect: {status: 200, json: {$.a: {at_least: 1}, $.b: !uuid}}
      - url: http://h
        body: {file: a.txt}
    """

  private static func load(_ text: String) -> Int {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: Array(text.utf8), path: "spec.yaml", asProject: false, into: &bag)
    return withExtendedLifetime(file) { bag.errorCount }
  }

  @Test("Sources live as long as what is made of them")
  func sources() async {
    // In a process of its own, which is counted as a whole.
    await #expect(processExitsWith: .success) {
      for (text, errors) in [(ReloadTests.spec, 0), (ReloadTests.spec + "\n  - ulr: x\n", 1), ("requests: [", 1)] {
        _ = ReloadTests.load(text)
        let before = SourceText.liveCount
        for _ in 0..<1000 { #expect(ReloadTests.load(text) >= errors) }
        #expect(SourceText.liveCount == before, "\(text)")
      }
    }
  }

  #if os(Linux)
    @Test("Reloading a file adds no memory")
    func memory() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        for _ in 0..<200 { _ = ReloadTests.load(ReloadTests.spec) }
        let before = try ReloadTests.residentPages()
        for _ in 0..<10_000 { _ = ReloadTests.load(ReloadTests.spec) }
        // 10,000 sources of this size would be 2,000 pages and more.
        #expect(try ReloadTests.residentPages() - before < 500)
      }
    }

    private static func residentPages() throws -> Int {
      guard case .success(let bytes) = readFile("/proc/self/statm", limit: 4096) else { return 0 }
      return try #require(Int(String(decoding: bytes, as: UTF8.self).split(separator: " ")[1]))
    }
  #endif
}
