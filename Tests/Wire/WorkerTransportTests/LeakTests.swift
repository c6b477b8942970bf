#if os(Linux)
  import Foundation
  import HTTPSemantics
  import TestSupport
  import Testing
  import WorkerTransport

  /// Thousands of exchanges leave nothing behind, on neither side of the channel.
  @Suite(.serialized, .timeLimit(.minutes(10)))
  struct LeakTests {
    static let script = #"""
      send "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
      /moved
      send "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n"
      /basic
      send "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno"
      /closing
      send "HTTP/1.1 200 OK\r\n\r\nx"
      close
      /hang
      hang
      """#

    private struct Usage {
      var descriptors: Int
      /// Resident, in KiB.
      var memory: Int

      init(process: Int) throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        memory = Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0
      }
    }

    /// The worker processes of this one.
    private static func workers() throws -> [Int] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int($0) }.filter { id in
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        return status.hasPrefix("Name:\treqrun-urlsessi\n") && status.contains("PPid:\t\(getpid())\n")
      }
    }

    @Test("2,000 exchanges of all kinds leak no descriptor and no memory")
    func exchanges() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        let server = try FaultServer.start(LeakTests.script)
        defer { server.stop() }
        let known = Set(try LeakTests.workers())
        let transport = WorkerClient()
        @Sendable func send(_ count: Int) async {
          await withTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
              group.addTask {
                for number in 0..<count / 8 {
                  switch (number + lane) % 10 {
                  case 0: _ = await transport.failure(WireRequest(.get, server, "/closing"))
                  case 1: _ = await transport.failure(WireRequest(.get, server, "/basic"))
                  case 2: _ = await transport.failure(WireRequest(.get, server, "/moved"))
                  case 3: _ = await transport.failure(WireRequest(.put, server, "/ok", body: .bytes([1, 2, 3])))
                  case 4:
                    let limits = ExchangeLimits(total: .milliseconds(5))
                    _ = await transport.failure(WireRequest(.get, server, "/hang", limits: limits))
                  default: #expect(await transport.failure(WireRequest(.get, server, "/ok")) == nil)
                  }
                }
              }
            }
          }
        }
        await send(800)
        let worker = try #require(Set(try LeakTests.workers()).subtracting(known).first)
        let before = try Usage(process: worker)
        let own = try Usage(process: Int(getpid()))
        await send(2000)
        let after = try Usage(process: worker)
        let ownAfter = try Usage(process: Int(getpid()))
        #expect(after.descriptors <= before.descriptors + 8, "\(before) \(after)")
        #expect(after.memory <= before.memory + 12_000, "\(before) \(after)")
        #expect(ownAfter.descriptors <= own.descriptors + 16, "\(own) \(ownAfter)")
        #expect(ownAfter.memory <= own.memory + 30_000, "\(own) \(ownAfter)")
      }
    }

    @Test("a worker ends with its transport")
    func end() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        let server = try FaultServer.start(LeakTests.script)
        defer { server.stop() }
        let known = Set(try LeakTests.workers())
        var transport: WorkerClient? = WorkerClient()
        #expect(await transport?.failure(WireRequest(.get, server, "/ok")) == nil)
        #expect(Set(try LeakTests.workers()).subtracting(known).count == 1)
        transport = nil
        let deadline = ContinuousClock.now + .seconds(120)
        while !Set(try LeakTests.workers()).subtracting(known).isEmpty, ContinuousClock.now < deadline {
          try await Task.sleep(for: .milliseconds(20))
        }
        #expect(Set(try LeakTests.workers()).subtracting(known).isEmpty)
      }
    }
  }
#endif
