import HTTPSemantics
import Templates
import Values

/// A request with its settings merged over all layers.
///
/// A class, since its settings are large and a plan passes its requests on from step to step.
package final class PlannedRequest: Sendable {
  /// The position in the file, counted from 1 over setup, requests and teardown.
  package let number: Int
  package let stage: RequestStage
  package let spec: RequestSpec
  /// The file that runs here instead of a request; nil for a request, or if the file has errors.
  package let use: PlannedUse?
  /// The settings of the request over those of its layers.
  package let settings: RequestSettings
  /// The layers below the request, the lowest first.
  private let layers: [SpecLayer]
  /// Indicates whether the project starts a mock.
  var hasMock: Bool { layers.contains(where: \.hasMock) }
  package let tags: [String]
  /// The index of its flow in the file; nil for a request of the file itself.
  package let flow: Int?
  /// The name of its flow as far as it is literal.
  package let flowName: String?
  /// The number of the stream during which the request is sent; nil for a request of the file itself.
  let parent: Int?
  /// Templates that are evaluated before the request is sent.
  let sendingTemplates: [Template]
  /// The default method of the request; nil if it is only known at run time.
  package let impliedMethod: HTTPMethod?

  /// Indicates whether everything that is sent is literal in the file.
  package var sendsLiterals: Bool {
    sendingTemplates.isEmpty && (settings.stream?.messages.allSatisfy { $0.templates.isEmpty } ?? true)
  }

  /// All templates of the request.
  var templates: [Template] {
    sendingTemplates + settings.checkingTemplates + (spec.name?.templates ?? [])
      + (spec.rows.map { $0.sourceTemplates + $0.rowTemplates } ?? [])
  }

  init(
    number: Int, stage: RequestStage, spec: RequestSpec, layers: [SpecLayer] = [], settings: RequestSettings,
    use: PlannedUse? = nil, tags: [String], flow: Int? = nil, flowName: String? = nil, parent: Int? = nil
  ) {
    self.flow = flow
    self.flowName = flowName
    self.layers = layers
    self.parent = parent
    self.number = number
    self.stage = stage
    self.spec = spec
    self.use = use
    self.settings = settings
    self.tags = tags
    var templates = settings.sendingTemplates
    if let use = spec.use { templates += use.file.arguments.templates }
    templates += spec.variables.templates
    sendingTemplates = templates
    impliedMethod = settings.impliedMethod
  }

  /// The layer of a setting: the highest one that has it; nil if none does.
  package func layer(where isMentioned: (RequestSettings) -> Bool) -> SpecLayer.Kind? {
    if isMentioned(spec.settings) { return .request }
    return layers.last { $0.defaults.map(isMentioned) ?? false }?.kind
  }

  /// The names that the request captures, or would if its captures were valid.
  package var captureNames: [String] {
    if let spec = spec.use { return use?.outputs.map(\.name) ?? spec.taken?.map(\.name.value) ?? [] }
    let capture = settings.capture
    let names = capture.entries.filter { $0.value != nil }.map(\.key.text) + messageCaptureNames
    return capture.unreadableKeys.isEmpty ? names : names + capture.unreadableKeys.sorted()
  }

  /// The names that the request captures from messages of its WebSocket.
  var messageCaptureNames: [String] { settings.stream?.messages.flatMap { $0.captures.map(\.name) } ?? [] }

  /// The place at which the request itself captures a name, from its response or a message.
  func ownPlace(ofCapture name: String) -> SourceRange? {
    settings.capture.entries.first { $0.key.text == name }?.key.range
      ?? settings.stream?.messages.lazy.flatMap(\.captures).first { $0.name == name }?.range
  }

  package var line: Int { spec.range.start.line }

  /// The request's name in messages.
  package var label: String { spec.name?.literal.map { "\"\($0.masked)\"" } ?? "number \(number)" }

  /// The request's name as far as it is literal: its own, or method and URL.
  package var staticName: String { spec.name.map { $0.shown } ?? staticAddress }

  /// Its method and URL as far as they are literal.
  package var staticAddress: String {
    if let spec = spec.use {
      return "use \(use?.file.path ?? spec.file.path.value)" + (spec.file.request.map { "#\($0)" } ?? "")
    }
    let method = settings.method.value?.literal?.rawValue ?? settings.impliedMethod?.rawValue ?? "PUT"
    return "\(method) \(settings.url.value?.shown ?? "")"
  }

  /// The method as far as it is literal; nil for a template.
  var method: HTTPMethod? { settings.knownMethod }
}

extension FlowSpec {
  /// The flow's name as far as it is literal; empty for the requests of a whole file.
  package var staticName: String { name?.shown ?? (isWholeFile ? "" : "flow in line \(range.start.line)") }
}

extension Field<Text> {
  /// The text as far as it is literal, and as written otherwise.
  fileprivate var shown: String {
    if let literal { return literal.masked }
    let source = range.source
    return isPrivateName(source.name) ? Text.mask : source.text(in: range.bytes)
  }
}
