/// What a run is to do and how it is to tell.
public struct RunOptions: Sendable {
  /// A variable: text as typed, or a JSON document.
  public enum VariableValue: Sendable {
    /// Text, read as the type of the variable that it replaces.
    case text(String)
    /// A JSON document.
    case json(String)
  }

  /// How much the console report shows.
  public enum Detail: Sendable {
    /// Failures and the summary.
    case quiet
    /// A line per request.
    case normal
    /// And the heads of what was sent and received.
    case heads
    /// And their bodies.
    case bodies
  }

  /// Which transport runs the requests.
  public enum TransportChoice: Sendable {
    /// URLSession where it is sound and able, libcurl elsewhere.
    case auto
    /// URLSession; on Linux in a worker process.
    case urlsession
    /// libcurl.
    case curl
    /// One's own, such as a stub for tests, for everything that is sent. Options of connections don't reach it.
    case custom(any Transport)

    /// The words that ``init(_:)`` knows.
    public static let names = ["auto", "urlsession", "curl"]

    /// The choice of that name; nil for another one.
    public init?(_ name: String) {
      switch name {
      case "auto": self = .auto
      case "urlsession": self = .urlsession
      case "curl": self = .curl
      default: return nil
      }
    }
  }

  public var specs: [SpecSource] = []
  /// Variables by name, which win over those of files.
  public var variables: [(name: String, value: VariableValue)] = []
  /// Paths of dotenv files.
  public var envFiles: [String] = []
  /// Secrets by name.
  public var secrets: [(name: String, value: String)] = []
  /// Runs requests with one of these tags.
  public var tags: [String] = []
  /// Leaves out requests with one of these tags.
  public var excludeTags: [String] = []
  /// Runs requests whose name holds this text, or matches it where it has a `*`.
  public var name: String?
  /// How many files run side by side.
  public var jobs = 64
  /// Begins nothing new after the first failure.
  public var failFast = false
  /// Goes on in a file after a request has failed, unless the file says otherwise.
  public var keepGoing = false
  /// Shows secrets in the curl commands on the console; never in reports.
  public var showSecrets = false
  /// The longest time for a request with its redirects; wins over the specs'.
  public var timeout: Duration?
  /// The longest time for the whole run; then what is in flight is cut, and only teardowns still run.
  public var maxTime: Duration?
  /// How often all files run.
  public var `repeat` = 1
  /// Which transport runs the requests.
  public var transport = TransportChoice.auto
  /// The path of a cookie file in curl's form: read if it is there, shared by all files, written at the end.
  public var cookieJar: String?
  /// How connections are made, whatever the specs say.
  public var connection = ConnectionOverrides()
  /// The reports that the run makes.
  public var reports: [Report] = []
  /// Whether ``RunResult/requests`` has each request; a run of very many takes less memory without.
  public var collectsRequests = true
  /// The optional parts of ``RunResult/requests``.
  public var collectedDetails: RunEvent.Needs = []
  /// Is told how far the run is, from any thread.
  public var onProgress: (@Sendable (RunProgress) -> Void)?
  /// The least percentage of the contracts' operations that the run exercises.
  public var minCoverage: Int?
  /// Shows each request as a curl command.
  public var curl = false
  /// Resolves everything and sends nothing.
  public var dryRun = false
  /// Stores the snapshots that are missing or differ, of requests that are fine otherwise.
  public var updateSnapshots = false
  /// Removes the snapshots that no request has; only together with `updateSnapshots`.
  public var prune = false
  /// Starts the embedded demo API and sets the variable `demo` to its address.
  public var demo = false
  /// Makes random values repeatable.
  public var seed: UInt64?
  /// The directory that files named by specs must lie in.
  public var fileRoot: String?
  /// Fetches the JSON Schemas that files name by `http` and `https` URLs.
  public var remoteSchemas = false
  /// The file that `auth: netrc` reads, in place of `NETRC` and `~/.netrc`.
  public var netrcFile: String?
  /// The limit of a decoded response body, in bytes.
  public var maxBody: Int64 = 1 << 30
  /// How much memory the data of all responses that are looked at may take together, in bytes.
  public var maxMemory: Int64 = 1 << 30
  /// The limit of a download, and of what an archive expands to, in bytes; without it 64 GiB, or what the disk has room
  /// for where that is less.
  public var maxDownload: Int64?
  /// Whether the console report and diagnostics have colours.
  public var isColored = false
  /// Whether the console report goes to a terminal.
  public var isTerminal = false
  /// How wide diagnostics may be, in columns.
  public var width: Int?
  /// How much the console report shows.
  public var detail = Detail.normal
  /// What the `User-Agent` header says.
  public var userAgent = "reqrun"

  /// Options with their defaults.
  public init() {}
}
