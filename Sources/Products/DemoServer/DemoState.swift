import Synchronization
import Values

/// The state that clients change; each server has its own.
final class DemoState: Sendable {
  /// The maximum number of names of each kind that clients choose; beyond it, the state is cleared.
  static let nameLimit = 10_000
  /// The maximum length in bytes of a name that a client chooses.
  static let nameLengthLimit = 200

  struct Contents: Sendable {
    var users: [User] = User.seeds
    var nextUserID = User.seeds.count + 1
    var orders: [Order] = []
    var lastOrderID = 0
    var tokens: Set<String> = []
    /// The number of requests for each job.
    var jobPolls: [String: Int] = [:]
    /// The number of requests for each key of `/api/flaky`.
    var flakyCalls: [String: Int] = [:]
    /// Uploads by their names.
    var uploads: [String: ReceivedFile] = [:]
    /// The highest count of each nonce of `/digest-auth`.
    var digestNonces: [String: Int] = [:]
    /// Published messages by topic.
    var topics: [String: [String]] = [:]
    /// The size in bytes of all published messages.
    var topicSize = 0
    var dav = DavTree()
    var oauth = OAuthState()
  }

  /// Counts a client's action under a name that the client chose.
  func count(_ name: String, in counts: WritableKeyPath<Contents, [String: Int]> & Sendable) -> Int {
    withContents { contents in
      if contents[keyPath: counts].count >= DemoState.nameLimit { contents[keyPath: counts] = [:] }
      let count = contents[keyPath: counts][name, default: 0] + 1
      contents[keyPath: counts][name] = count
      return count
    }
  }

  private let contents = Mutex(Contents())

  func withContents<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock { body(&$0) }
  }
}

/// A user of the demo API.
struct User: Sendable {
  static let roles = ["admin", "editor", "viewer"]

  let id: Int
  /// The number of changes; the ETag contains it.
  var version = 1
  /// All members except the id, in their order.
  var members: Mapping

  var entityTag: String { "\"user-\(id)-\(version)\"" }
  var value: Value { .mapping(Mapping([Mapping.Member(key: "id", value: .integer(id))] + members.members)) }

  func text(_ name: String) -> String? {
    guard case .text(let text)? = members[name] else { return nil }
    return text.string
  }

  static let seeds: [User] = [
    User(1, "Ann Lindgren", "ann@example.com", "admin", ["founder", "sea"], 1, "10.50", ("1 Quay", "Malmö", "SE")),
    User(2, "Bao Nguyen", "bao@example.com", "editor", ["sea"], 2, "0", ("22 Harbour Rd", "Huế", "VN")),
    User(3, "Carla Díaz", "carla@example.com", "viewer", [], 3, "-3.25", ("3 Calle Mar", "Cádiz", "ES")),
    User(4, "Deniz Kaya", "deniz@example.com", "viewer", ["new"], 4, "1200.00", ("4 Liman", "İzmir", "TR")),
    User(5, "Eve O'Neil", "eve@example.com", "editor", ["new", "sea"], 5, "99.99", ("5 Pier", "Cork", "IE")),
  ]

  init(id: Int, members: Mapping) {
    self.id = id
    self.members = members
  }

  private init(
    _ id: Int, _ name: String, _ email: String, _ role: String, _ tags: [String], _ day: Int, _ balance: String,
    _ address: (street: String, city: String, country: String)
  ) {
    self.id = id
    members = Mapping([
      ("name", .text(name)), ("email", .text(email)), ("role", .text(role)),
      ("tags", .list(tags.map { .text($0) })), ("balance", .number(Number(lexeme: balance))),
      (
        "address",
        .object([
          ("street", .text(address.street)), ("city", .text(address.city)), ("country", .text(address.country)),
        ])
      ),
      ("created", .text("2024-05-0\(day)T10:00:00Z")),
    ])
  }
}
