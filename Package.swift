// swift-tools-version: 6.2
import PackageDescription

/// `REQRUN_STRICT=1` (set by `make` and `.ci/run`) turns warnings into errors; users of the package are spared.
let strict = Context.environment["REQRUN_STRICT"] == "1"
let settings: [SwiftSetting] = strict ? [.treatAllWarnings(as: .error)] : []

#if os(Linux)
  /// Files that need Apple's frameworks.
  let appleOnly = ["Apple"]
#else
  let appleOnly: [String] = []
#endif

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

#if os(Linux)
  /// The worker that tests start; there is none elsewhere.
  let worker: [Target.Dependency] = ["URLSessionWorker"]
#else
  let worker: [Target.Dependency] = []
#endif

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

var products: [Product] = [
  .executable(name: "reqrun", targets: ["ReqrunCommand"]),
  .library(name: "ReqrunKit", targets: ["ReqrunKit"]),
]

var targets: [Target] = [
  // System libraries: a module map and a shim, no logic.
  .systemLibrary(
    name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  .systemLibrary(
    name: "CLibCurlHeaders", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  .systemLibrary(
    name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
  .systemLibrary(
    name: "CLibPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
  .systemLibrary(
    name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(name: "CLibSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CLibMicroHTTPDHeaders", pkgConfig: "libmicrohttpd",
    providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
  .systemLibrary(name: "CLibZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .systemLibrary(
    name: "CLibArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
  .systemLibrary(name: "CAllocator"),
  // What takes long to load is loaded while the program does something else, or never, but for macOS.
  .target(
    name: "CLibCurl", dependencies: ["CLibCurlHeaders"],
    linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]),
  .target(
    name: "CLibMicroHTTPD", dependencies: ["CLibMicroHTTPDHeaders"],
    linkerSettings: [.linkedLibrary("microhttpd", .when(platforms: [.macOS]))]),

  // Leaves: imports only point down.
  target("LibC"),
  target("OperatingSystem", ["LibC"]),
  target("Values"),
  target("EvaluationBudgets"),
  target("Diagnostics", ["EvaluationBudgets"]),
  target("HTTPMessages", ["OperatingSystem", "Values"]),
  target("RegularExpressions", ["CLibPCRE2", "EvaluationBudgets"]),
  target("Digests", ["CLibCrypto", "Values"]),
  target("DataCompression", ["CLibZ"]),
  target("Ciphers", ["CLibCrypto"]),
  target("HLSPlaylists", ["HTTPMessages", "Values"]),
  // iconv is part of libc, but for macOS.
  .target(
    name: "TextDecoding", dependencies: ["LibC"], swiftSettings: settings,
    linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
  target("YAMLNodes", ["CLibYAML", "LibC", "Diagnostics", "OperatingSystem", "Values"]),
  target("JSONQueries", ["Values", "Diagnostics", "RegularExpressions", "EvaluationBudgets"]),
  // Elsewhere than on macOS libxml2 is loaded at run time.
  .target(
    name: "MarkupQueries", dependencies: ["CLibXML2", "LibC", "Diagnostics", "EvaluationBudgets", "OperatingSystem"],
    swiftSettings: settings,
    linkerSettings: [.linkedLibrary("xml2", .when(platforms: [.macOS]))]),
  target(
    "JSONSchemas",
    [
      "Values", "Diagnostics", "YAMLNodes", "JSONQueries", "RegularExpressions", "HTTPMessages", "OperatingSystem",
      "EvaluationBudgets",
    ]),
  target("EventStreams", ["JSONQueries", "Values"]),
  .target(
    name: "Archives", dependencies: ["CLibArchive", "OperatingSystem", "Values"], swiftSettings: settings,
    linkerSettings: [.linkedLibrary("archive", .when(platforms: [.macOS]))]),
  target("ParameterEncoding", ["Values"]),
  target("SecretMasking", ["Values"]),
  target("Templates", ["Values", "Diagnostics", "Digests", "JSONQueries", "EvaluationBudgets"]),
  target("Matching", ["Values", "Diagnostics", "RegularExpressions", "HTTPMessages", "EvaluationBudgets"]),

  target(
    "APIContracts",
    [
      "Values", "Diagnostics", "HTTPMessages", "YAMLNodes", "JSONQueries", "JSONSchemas", "Matching",
      "EvaluationBudgets",
    ]),
  target("FileSegments", ["Digests", "HTTPMessages", "OperatingSystem", "Values"]),
  target("Snapshots", ["Values", "Digests", "JSONQueries", "Matching", "OperatingSystem"]),

  // Spec to plan.
  target(
    "RequestSpecs",
    [
      "Values", "Diagnostics", "HTTPMessages", "YAMLNodes", "Templates", "ParameterEncoding", "JSONQueries",
      "RegularExpressions", "Matching", "JSONSchemas", "OperatingSystem", "MarkupQueries", "FileSegments",
      "HLSPlaylists", "EventStreams",
    ]),
  target(
    "RunPlanning",
    [
      "RequestSpecs", "JSONSchemas", "HTTPSemantics", "Values", "Diagnostics", "Templates", "HTTPMessages",
      "ParameterEncoding", "Snapshots", "OperatingSystem",
    ]),

  // The wire.
  target("RequestBodies", ["HTTPMessages", "DataCompression", "OperatingSystem"]),
  target("CurlTransport", ["CLibCurl", "CLibSSL", "LibC", "HTTPMessages", "Digests", "Values", "OperatingSystem"]),
  target("WorkerProtocol", ["LibC", "HTTPMessages", "OperatingSystem"]),
  target("WorkerTransport", ["LibC", "HTTPMessages", "WorkerProtocol", "OperatingSystem", "Values"]),
  .target(
    name: "URLSessionTransport", dependencies: ["HTTPMessages"], exclude: appleOnly, swiftSettings: settings),
  target("HTTPSemantics", ["HTTPMessages", "Digests", "OperatingSystem", "ParameterEncoding", "Values"]),
  target("HLSDownloads", ["HLSPlaylists", "Ciphers", "HTTPSemantics", "HTTPMessages", "OperatingSystem", "Values"]),

  target("Downloads", ["HTTPMessages", "HTTPSemantics", "OperatingSystem", "Digests", "Values", "FileSegments"]),

  // Running and telling.
  target(
    "SpecExecution",
    [
      "RunPlanning", "RequestSpecs", "HTTPSemantics", "HTTPMessages", "Values", "Diagnostics", "Templates",
      "ParameterEncoding", "JSONQueries", "RegularExpressions", "Matching", "SecretMasking", "Digests",
      "OperatingSystem", "Snapshots", "APIContracts", "JSONSchemas", "MarkupQueries", "TextDecoding", "FileSegments",
      "Downloads", "Archives", "EventStreams", "HLSDownloads", "HLSPlaylists", "RequestBodies", "EvaluationBudgets",
    ]),
  target(
    "RunReports",
    [
      "SpecExecution", "RunPlanning", "RequestSpecs", "Matching", "Diagnostics", "Values", "HTTPMessages",
      "OperatingSystem", "Snapshots", "APIContracts",
    ]),
  target(
    "DemoServer",
    ["CLibMicroHTTPD", "LibC", "Ciphers", "Digests", "FileSegments", "HTTPMessages", "Values", "JSONQueries"]),
  target(
    "ReqrunKit",
    [
      "SpecExecution", "RunReports", "RunPlanning", "RequestSpecs", "CurlTransport", "WorkerTransport",
      "HTTPSemantics", "HTTPMessages", "DemoServer", "Diagnostics", "Values", "JSONQueries", "OperatingSystem",
      "Snapshots", "JSONSchemas",
      // Elsewhere than on Linux URLSession is sound and runs in-process.
      .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS])),
    ]),
  // The help has the reference of the format in it: a link to the one of the documentation.
  .target(
    name: "CommandLineOptions", dependencies: ["Diagnostics"], resources: [.embedInCode("Format.md")],
    swiftSettings: settings),
  .executableTarget(
    name: "ReqrunCommand",
    dependencies: ["ReqrunKit", "CommandLineOptions", "DemoServer", "OperatingSystem", "CAllocator", "LibC"],
    swiftSettings: settings),

  // Test support and tests.
  .target(
    name: "TestSupport", dependencies: ["HTTPMessages", "CurlTransport", "WorkerTransport"], path: "Tests/TestSupport",
    swiftSettings: settings),
  tests("ValuesTests", ["Values"]),
  tests("EvaluationBudgetsTests", ["EvaluationBudgets"]),
  tests("DiagnosticsTests", ["Diagnostics"]),
  tests("HTTPMessagesTests", ["HTTPMessages", "OperatingSystem", "Values", "TestSupport"]),
  tests("RegularExpressionsTests", ["RegularExpressions"]),
  tests("DigestsTests", ["Digests", "Values", "TestSupport"]),
  tests("DataCompressionTests", ["DataCompression"]),
  tests("CiphersTests", ["Ciphers"]),
  tests("HLSPlaylistsTests", ["HLSPlaylists", "Values", "TestSupport"]),
  tests(
    "HLSDownloadsTests",
    [
      "HLSDownloads", "HLSPlaylists", "Ciphers", "CurlTransport", "HTTPSemantics", "HTTPMessages", "OperatingSystem",
      "TestSupport",
    ]),
  tests("RequestBodiesTests", ["RequestBodies", "DataCompression", "HTTPMessages", "TestSupport"]),
  tests("YAMLNodesTests", ["YAMLNodes", "Diagnostics", "JSONQueries", "Values", "TestSupport"]),
  tests("JSONQueriesTests", ["JSONQueries", "Values", "TestSupport"]),
  tests("MarkupQueriesTests", ["MarkupQueries", "EvaluationBudgets"]),
  tests("TextDecodingTests", ["TextDecoding"]),
  tests("JSONSchemasTests", ["OperatingSystem", "JSONSchemas", "JSONQueries", "Diagnostics", "Values", "TestSupport"]),
  tests("EventStreamsTests", ["EventStreams", "JSONQueries", "TestSupport"]),
  tests("ArchivesTests", ["Archives", "DataCompression", "Values", "TestSupport"]),
  tests("ParameterEncodingTests", ["ParameterEncoding", "Values", "TestSupport"]),
  tests("SecretMaskingTests", ["SecretMasking", "Values"]),
  tests(
    "APIContractsTests",
    ["APIContracts", "JSONQueries", "HTTPMessages", "YAMLNodes", "Diagnostics", "Values", "TestSupport"]),
  tests("TemplatesTests", ["Templates", "Values", "Diagnostics"]),
  tests("FileSegmentsTests", ["FileSegments", "HTTPMessages", "TestSupport"]),
  tests("SnapshotsTests", ["Snapshots", "JSONQueries", "Values", "TestSupport"]),
  tests("MatchingTests", ["Matching", "Values", "RegularExpressions", "TestSupport"]),
  tests(
    "RequestSpecsTests",
    [
      "RequestSpecs", "Diagnostics", "Templates", "Values", "HTTPMessages", "Matching", "ParameterEncoding",
      "TestSupport", "FileSegments",
    ]),
  tests(
    "RunPlanningTests",
    ["RunPlanning", "RequestSpecs", "Diagnostics", "Templates", "Values", "HTTPMessages", "TestSupport"]),
  tests("HTTPSemanticsTests", ["HTTPSemantics", "HTTPMessages", "Digests", "Values", "TestSupport"]),
  tests(
    "TransportTests",
    [
      "CurlTransport", "WorkerTransport", "HTTPSemantics", "HTTPMessages", "DemoServer", "TestSupport",
    ] + worker),
  tests(
    "DownloadsTests",
    ["Downloads", "FileSegments", "HTTPMessages", "HTTPSemantics", "CurlTransport", "TestSupport", "ReqrunCommand"]),
  tests("URLSessionTransportTests", ["URLSessionTransport", "HTTPMessages", "TestSupport"]),
  tests("WorkerProtocolTests", ["WorkerProtocol", "HTTPMessages", "OperatingSystem"]),
  tests(
    "WorkerTransportTests",
    ["WorkerTransport", "HTTPMessages", "TestSupport", "ReqrunCommand"] + worker),
  // Real servers: nginx, proxies, and one that answers as wrong as it is told.
  tests(
    "WireTests",
    ["CurlTransport", "HTTPMessages", "TestSupport", "ReqrunCommand"] + worker),
  tests(
    "SpecExecutionTests",
    [
      "SpecExecution", "HTTPMessages", "HTTPSemantics", "JSONQueries", "Matching", "OperatingSystem", "Values",
      "TestSupport", "FileSegments",
    ]),
  tests(
    "RunReportsTests",
    [
      "RunReports", "SpecExecution", "RunPlanning", "RequestSpecs", "Matching", "Diagnostics", "HTTPMessages",
      "APIContracts", "Snapshots", "Values", "ReqrunKit",
    ]),
  tests("ReqrunKitTests", ["ReqrunKit"]),
  tests("DemoServerTests", ["DemoServer"]),
  tests("CommandLineOptionsTests", ["CommandLineOptions"]),
  // Its cases are data, found beside the source.
  tests("EndToEndTests", ["ReqrunCommand", "TestSupport", "DemoServer"], exclude: ["Cases"]),
]

#if os(Linux)
  // On Linux, URLSession lives in a worker process of its own: a bad answer can end the process that reads it.
  products.append(.executable(name: "reqrun-urlsession", targets: ["URLSessionWorker"]))
  targets.append(
    .executableTarget(
      name: "URLSessionWorker",
      dependencies: ["URLSessionTransport", "WorkerProtocol", "HTTPMessages", "OperatingSystem", "LibC"],
      swiftSettings: settings))
#endif

let package = Package(
  name: "reqrun",
  platforms: [.macOS(.v15)],
  products: products,
  targets: targets,
  swiftLanguageModes: [.v6]
)
