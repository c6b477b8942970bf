import Foundation
import HTTPSemantics
import TestSupport
import Testing

@Suite("Retries")
struct RetryPolicyTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var policy = RetryPolicy(attempts: 4, interval: .seconds(1))
    var requested: Duration?
    /// After 0, 1, 2 … attempts.
    let delays: [Duration?]
  }

  private static func policy(
    _ backoff: RetryPolicy.Backoff, attempts: Int = 5, _ interval: Duration = .seconds(1),
    maximum: Duration = .seconds(60), requested: Duration? = nil
  ) -> RetryPolicy {
    RetryPolicy(
      attempts: attempts, interval: interval, backoff: backoff, maximumInterval: maximum,
      maximumRequestedDelay: requested)
  }

  static let cases: [Case] = [
    Case(testDescription: "no attempts", policy: policy(.none, attempts: 0), delays: [nil, nil]),
    Case(testDescription: "less than none", policy: policy(.none, attempts: .min), delays: [nil, nil]),
    Case(testDescription: "one attempt", policy: policy(.none, attempts: 1), delays: [.seconds(1), nil]),
    Case(
      testDescription: "a delay that stays", policy: policy(.none, attempts: 3),
      delays: [.seconds(1), .seconds(1), .seconds(1), nil]),
    Case(
      testDescription: "linear", policy: policy(.linear),
      delays: [.seconds(1), .seconds(1), .seconds(2), .seconds(3), .seconds(4), nil]),
    Case(
      testDescription: "exponential", policy: policy(.exponential),
      delays: [.seconds(1), .seconds(1), .seconds(2), .seconds(4), .seconds(8), nil]),
    Case(
      testDescription: "never longer than the maximum", policy: policy(.exponential, maximum: .seconds(3)),
      delays: [.seconds(1), .seconds(1), .seconds(2), .seconds(3), .seconds(3), nil]),
    Case(
      testDescription: "an interval beyond the maximum", policy: policy(.none, .seconds(5), maximum: .seconds(3)),
      delays: [.seconds(3), .seconds(3)]),
    Case(testDescription: "no interval", policy: policy(.exponential, .zero), delays: [.zero, .zero, .zero]),
    Case(testDescription: "less than none", policy: policy(.linear, .seconds(-5)), delays: [.zero, .zero, .zero]),
    Case(
      testDescription: "the longest interval there is",
      policy: policy(.exponential, .seconds(Int64.max), maximum: .seconds(Int64.max)),
      delays: [.seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.max)]),
    Case(
      testDescription: "the server's delay", policy: policy(.exponential, requested: .seconds(9)),
      requested: .seconds(9), delays: [.seconds(9), .seconds(9), .seconds(9), .seconds(9), .seconds(9), nil]),
    Case(
      testDescription: "the server's delay is too long", policy: policy(.exponential, requested: .seconds(9)),
      requested: .seconds(10), delays: [nil, nil]),
    Case(
      testDescription: "the server's delay is over", policy: policy(.exponential, requested: .seconds(9)),
      requested: .zero, delays: [.zero, .zero]),
    Case(
      testDescription: "the server's delay is ignored", policy: policy(.none), requested: .seconds(10),
      delays: [.seconds(1), .seconds(1)]),
  ]

  @Test("the delay before the next attempt", arguments: cases)
  func delay(_ test: Case) {
    for (attempts, delay) in test.delays.enumerated() {
      #expect(test.policy.delay(after: attempts, requested: test.requested) == delay, "after \(attempts)")
    }
  }

  @Test("as many attempts as there are numbers")
  func manyAttempts() {
    for backoff in [RetryPolicy.Backoff.none, .linear, .exponential] {
      let policy = Self.policy(backoff, attempts: .max)
      #expect(policy.delay(after: .max - 1) == (backoff == .none ? .seconds(1) : .seconds(60)))
      #expect(policy.delay(after: .max) == nil)
      #expect(policy.delay(after: .min) == .seconds(1))
    }
  }

  @Test("a jittered delay is between half of it and all of it")
  func jitter() throws {
    var policy = Self.policy(.exponential)
    policy.isJittered = true
    var delays: Set<Duration> = []
    for _ in 0..<100 { delays.insert(try #require(policy.delay(after: 3))) }
    #expect(delays.allSatisfy { $0 >= .seconds(2) && $0 <= .seconds(4) })
    #expect(delays.count > 50)
  }

  @Test("which exchanges are sent again")
  func which() throws {
    let policy = RetryPolicy(
      attempts: 2, methods: HTTPMethod.idempotent, statuses: [429, 503], failures: .transient,
      maximumRequestedDelay: .seconds(60))
    #expect(policy.retries(status: 429) && policy.retries(status: 503, requested: .seconds(60)))
    #expect(!policy.retries(status: 500) && !policy.retries(status: 200))
    #expect(!policy.retries(status: 503, requested: .seconds(61)))
    #expect(policy.retries(.get) && !policy.retries(.post))
    #expect(policy.retries(TransportError(.timeout(.connect), "")))
    #expect(!policy.retries(TransportError(.timeout(.resource), "")) && !policy.retries(TransportError(.tls, "")))
    #expect(RetryPolicy(attempts: 2).retries(.post))
    let wide = RetryPolicy(attempts: 2, failures: Set.connection.union(Set.timeouts))
    for kind in [TransportError.Kind.dns, .connection, .tls, .reset, .truncated, .invalidResponse, .timeout(.resource)]
    {
      #expect(wide.retries(TransportError(kind, "")))
    }
    for kind in [TransportError.Kind.tooLarge, .redirects, .body, .cancelled, .invalidRequest, .notStored, .storage] {
      #expect(!wide.retries(TransportError(kind, "")))
    }
  }

  private struct Suite: Decodable {
    struct Defaults: Decodable {
      let retry_limit: Int
      let backoff_base: Int
      let backoff_scale: Double
      let methods: [String]
    }
    struct Delay: Decodable {
      let retry_count: Int
      let expect_delay_seconds: Double
    }
    let defaults: Defaults
    let delays_with_defaults: [Delay]
  }

  @Test("as Alamofire's policy", .enabled(if: conformanceRoot != nil))
  func conformance() throws {
    let root = try #require(conformanceRoot)
    let suite = try JSONDecoder().decode(
      Suite.self, from: Data(contentsOf: URL(fileURLWithPath: root + "/alamofire/retry.json")))
    #expect(Set(suite.defaults.methods) == Set(HTTPMethod.idempotent.map(\.rawValue)))
    #expect(suite.defaults.backoff_base == 2)
    var policy = Self.policy(.exponential, .seconds(suite.defaults.backoff_scale))
    policy.attempts = 1 + suite.defaults.retry_limit
    #expect(policy.delay(after: 2) != nil && policy.delay(after: 3) == nil)
    policy.attempts = .max
    #expect(suite.delays_with_defaults.count >= 6)
    for test in suite.delays_with_defaults {
      #expect(policy.delay(after: test.retry_count + 1) == .seconds(test.expect_delay_seconds))
    }
  }
}
