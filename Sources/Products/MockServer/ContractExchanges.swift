import APIContracts
import DocumentQueries
import HTTPSemantics
import LocalServer
import Values

extension ContractViolation {
  var sentence: String { "\(message): expected \(expected), actual \(actual)" }
}

extension ContractExchange {
  init?(_ request: ServerRequest, _ response: ServerResponse) {
    guard let url = try? HTTPURL(parsing: request.url), case .bytes(let bytes) = response.body else { return nil }
    self.init(
      method: request.method, url: url, requestHeaders: HeaderFields(), requestBody: nil, status: response.status,
      headers: HeaderFields(response.headers.map { ($0.name, $0.value) }), body: MockedBody(bytes: bytes))
  }

  init?(_ request: ServerRequest) {
    guard let url = try? HTTPURL(parsing: request.url) else { return nil }
    self.init(
      method: request.method, url: url,
      requestHeaders: HeaderFields(request.headers.map { ($0.name, $0.value) }), requestBody: request.body, status: 0,
      headers: HeaderFields(), body: nil)
  }
}

private struct MockedBody: ContractBody {
  let bytes: [UInt8]

  var isEmpty: Bool { bytes.isEmpty }

  func json() throws(UnreadableBody) -> JSONDocument {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw UnreadableBody(error.message, help: nil)
    }
  }
}
