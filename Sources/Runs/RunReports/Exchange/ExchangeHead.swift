import SpecExecution
import Values

/// The heads of requests and responses as they are in HTTP/1.1, coloured.
struct ExchangeHead {
  let style: ConsoleStyle

  func text(of request: SentRequest) -> String {
    let version = request.httpVersion ?? "HTTP/1.1"
    var fields = request.headers
    if !fields.contains(where: { equalsIgnoringCase($0.name, "Host") }) { fields.append(("Host", request.authority)) }
    return head("\(style.bold(shown(request.method))) \(shown(request.target)) \(shown(version))", fields)
  }

  func text(of response: ReceivedResponse) -> String {
    let version = response.httpVersion.isEmpty ? "HTTP" : "HTTP/\(response.httpVersion)"
    let status = "\(response.status)" + (response.reason.isEmpty ? "" : " \(shown(response.reason))")
    let painted =
      switch response.status {
      case ..<300: style.green(status)
      case ..<400: style.yellow(status)
      default: style.red(status)
      }
    return head("\(shown(version)) \(painted)", response.headers)
  }

  /// The fields, one on each line.
  func text(of fields: [(name: String, value: String)]) -> String {
    fields.map { "\(style.cyan(shown($0.name))): \(shown($0.value))\n" }.joined()
  }

  private func head(_ first: String, _ fields: [(name: String, value: String)]) -> String {
    "\(first)\n\(text(of: fields))"
  }

  private func shown(_ text: String) -> String { sanitizedForTerminal(text) }
}
