import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// The options of a run and its reports.
public struct RunOptions: Sendable {
  /// A variable: text as typed, or a JSON document.
  public enum VariableValue: Sendable, Hashable, Codable {
    /// Text, converted to the type of the variable that it replaces.
    case text(String)
    /// A JSON document.
    case json(String)
  }

  /// The level of detail of the console report.
  public enum Detail: String, Sendable, Codable {
    /// Failures and the summary.
    case quiet
    /// A line per request.
    case normal
    /// The heads that were sent and received, too.
    case heads
    /// Their bodies, too.
    case bodies
  }

  /// The layout of the console report.
  public enum Layout: String, Sendable, CaseIterable, Codable {
    /// A line per request.
    case full
    /// A line per file, and the requests that failed.
    case compact
  }

  /// The transport for requests.
  public enum TransportChoice: Sendable {
    /// URLSession if it is safe and has the needed features, libcurl otherwise.
    case auto
    /// URLSession; on Linux in a worker process.
    case urlsession
    /// libcurl.
    case curl
    /// Your own, such as a stub for tests, for everything that is sent. Connection options don't affect it, unless it
    /// passes its requests on to a ``NetworkTransport``.
    case custom(any Transport)

    /// The names that ``init(_:)`` accepts.
    public static let names = ["auto", "urlsession", "curl"]

    /// Creates the choice of that name; nil for another one.
    public init?(_ name: String) {
      switch name {
      case "auto": self = .auto
      case "urlsession": self = .urlsession
      case "curl": self = .curl
      default: return nil
      }
    }
  }

  /// The specs to run.
  public var specs: [SpecSource] = []
  /// Variables by name, which win over those of files.
  public var variables: [String: VariableValue] = [:]
  /// The environment to choose from those of the project files, instead of their default.
  public var environment: String?
  /// The path of a file with rows (`.csv`, `.json`, `.jsonl` or `.yaml`), for all specs and flows without `each`.
  public var rows: String?
  /// Paths of dotenv files.
  public var envFiles: [String] = []
  /// Secrets by name.
  public var secrets: [String: String] = [:]
  /// Selects requests with one of these tags.
  public var tags: [String] = []
  /// Excludes requests with one of these tags.
  public var excludeTags: [String] = []
  /// Selects requests whose name contains this text, or matches it if it has a `*`.
  public var name: String?
  /// The part of the files to run; nil runs all.
  public var shard: Shard?
  /// JSON reports of earlier runs, whose durations balance the shards.
  public var timings: [String] = []
  /// The JSON report of an earlier run: only requests that are not known to have passed in it run, of the specs, or of
  /// its files if there are none.
  public var rerunFailed: String?
  /// The maximum number of files that run in parallel.
  public var jobs = 64
  /// Starts nothing new after the first failure.
  public var failFast = false
  /// Continues in a file after a request has failed, unless the file has its own setting.
  public var keepGoing = false
  /// Shows secrets in the curl commands on the console; never in reports.
  public var showSecrets = false
  /// The time limit for a request with its redirects; wins over the specs'.
  public var timeout: Duration?
  /// The time limit for the whole run; then requests in flight are cut off, and only teardowns still run.
  public var maxTime: Duration?
  /// The number of times that all files run.
  public var `repeat` = 1
  /// The transport for requests.
  public var transport = TransportChoice.auto
  /// The path of a cookie file in curl's format: read if it exists, shared by all files, written at the end.
  public var cookieJar: String?
  /// Connection options that win over the specs.
  public var connection = ConnectionOverrides()
  /// The reports of the run.
  public var reports: [Report] = []
  /// Indicates whether ``RunResult/requests`` has each request; without them a run of very many takes less memory.
  public var collectsRequests = true
  /// The optional parts of ``RunResult/requests``; those that aren't collected are nil.
  public var collectedDetails: RunEvent.Needs = []
  /// The names of captures that ``RunResult/revealedCapture(_:)`` returns with their secrets, which are masked
  /// everywhere else.
  public var revealedCaptures: Set<String> = []
  /// Receives the progress of the run, from any thread.
  public var onProgress: (@Sendable (RunProgress) -> Void)?
  /// Shows a person how to sign in, and opens the page if there is one; nil if nobody would see it.
  package var onSignIn: (@Sendable (_ text: String, _ page: String?) -> Void)?
  /// The minimum percentage of the contracts' operations that the run must cover.
  public var minCoverage: Int?
  /// Also covers the parameters, members of bodies and values of enums that the contracts declare for requests.
  public var fieldCoverage = false
  /// The outcomes that fail the run, though they fail no request.
  public var failOn: Set<FailOn> = []
  /// Shows each request as a curl command.
  public var curl = false
  /// Resolves everything, but sends nothing.
  public var dryRun = false
  /// Stores missing and changed snapshots of requests that don't fail otherwise.
  public var updateSnapshots = false
  /// Removes the snapshots that no request uses; only together with `updateSnapshots`.
  public var prune = false
  /// Starts the embedded demo API and sets the variable `demo` to its address.
  public var demo = false
  /// The seed for repeatable random values.
  public var seed: UInt64?
  /// The directory that contains all files that specs may name.
  public var fileRoot: String?
  /// Indicates whether JSON Schemas with `http` and `https` URLs are fetched.
  public var remoteSchemas = false
  /// The file for `auth: netrc`, instead of `NETRC` and `~/.netrc`.
  public var netrcFile: String?
  /// The limit of a decoded response body, in bytes.
  public var maxBody: Int64 = 1 << 30
  /// The limit of memory for the data of all responses in bytes: 1 GiB, or a quarter of the address space that the
  /// process may take.
  public var maxMemory = Int64(StorageBudget.standardMemory)
  /// The limit of a download, and of the contents of an archive, in bytes; nil for 64 GiB, or the free disk space if
  /// that is less.
  public var maxDownload: Int64?
  /// Indicates whether the console report and diagnostics have colours.
  public var isColored = false
  /// Indicates whether the console report goes to a terminal.
  public var isTerminal = false
  /// The maximum width of diagnostics in columns.
  public var width: Int?
  /// The number of lines of the terminal that the console report goes to.
  public var height: Int?
  /// The level of detail of the console report.
  public var detail = Detail.normal
  /// The layout of the console report; nil for a compact one for more requests than the terminal has lines, or
  /// more than 50 elsewhere.
  public var layout: Layout?
  /// The number of slowest requests that the console report lists.
  public var slowest = 0
  /// Indicates whether the console report of each file is a section that GitLab can fold.
  package var foldsFiles = false
  /// The directory of the repository, if a CI service reads the file of each JUnit test case; empty leaves paths as
  /// they are.
  package var repository: String?
  /// The value of the `User-Agent` header.
  public var userAgent = "reqrun"

  /// The canonical paths of the files to run, of those that the specs name; nil runs all.
  var onlyFiles: Set<String>?
  /// The transports of an earlier run, whose connections are used again; nil makes new ones.
  var transports: TransportSet?
  /// The values that an export keeps open.
  package var openValues: (any OpenValues)?
  /// Receives each exchange while it takes place.
  package var onExchange: RunContext.ExchangeObserver?
  /// Receives each request that a dry run resolves.
  package var onResolved: RunContext.ResolvedObserver?
  /// Receives all rows of a step, of which only the first then runs.
  package var onRows: RunContext.RowsObserver?
  /// Receives each captured value, with its secrets.
  var onCapture: (@Sendable (String, Value) -> Void)?
  /// Collects the files that the run uses.
  package var usedFiles: UsedFiles?
  /// The texts of files that are open in an editor, by canonical path: they win over the disk.
  package var openTexts: [String: [UInt8]] = [:]
  /// The use of contracts that are named as specs.
  package var contractUse = ContractUse.rejected
  /// Indicates whether variables may be set that no spec reads.
  var allowsUnreadVariables = false
  /// Collects the names that templates read; nil collects none.
  package var nameRecorder: NameRecorder?
  /// Returns whether a variable of the process's environment is secret, though no spec declares that.
  package var isSecretVariable: @Sendable (_ name: String) -> Bool = { _ in false }
  /// The directory that contains all specs that are run or read as arguments; nil allows any.
  package var root: String?
  /// Indicates whether a run may write files: downloads, tokens, cached responses, journals of uploads.
  package var allowWrite = true

  /// Creates options with their defaults.
  public init() {}

  /// The specs that may be arguments; nil allows any.
  package var rootAccess: FileAccess? { root.map { FileAccess(root: $0) } }

  /// The files that the spec at a path may read.
  package var fileAccess: @Sendable (_ spec: String) -> FileAccess {
    { [fileRoot, allowWrite, usedFiles, openTexts] spec in
      var observer: FileAccess.Observer?
      if let usedFiles { observer = { path, source in usedFiles.add(path, of: source) } }
      return FileAccess(
        root: fileRoot ?? defaultFileRoot(spec), mayWrite: allowWrite, openTexts: openTexts, onUse: observer)
    }
  }
}

/// The use of contracts among the files of a run.
package enum ContractUse: Sendable {
  /// An error for each.
  case rejected
  /// A check of each by itself.
  case checked
  /// A list of them.
  case listed
}
