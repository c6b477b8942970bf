import APIContracts
import DocumentQueries
import HTTPSemantics
import Testing
import Values

/// The contract of a document in text.
func contract(_ text: String, name: String = "api.yaml", others: [String: String] = [:]) throws -> APIContract {
  try APIContract(
    DocumentSet(main: DocumentBytes(Array(text.utf8), name: name, location: "/docs/\(name)")) {
      (reference, _) throws(ContractReadingProblem) in
      let file = reference.split(separator: "/").last.map(String.init) ?? ""
      guard let other = others[file] else { throw ContractReadingProblem("there is no file \"\(reference)\"") }
      return DocumentBytes(Array(other.utf8), name: file, location: "/docs/\(file)")
    })
}

/// What is wrong with a document, each with its place.
func problems(_ text: String, name: String = "api.yaml") -> [String] {
  do {
    _ = try contract(text, name: name)
    return []
  } catch let error as ContractProblem {
    return ["\(error.diagnostic.range.map { "\($0.start.line): " } ?? "")\(error.diagnostic.message)"]
  } catch let error as BrokenContract {
    return error.diagnostics.map { "\($0.range.map { "\($0.start.line): " } ?? "")\($0.message)" }
  } catch {
    return ["\(error)"]
  }
}

/// A response's body.
struct TextBody: ContractBody {
  let text: String

  var isEmpty: Bool { text.isEmpty }

  func json() throws(UnreadableBody) -> JSONDocument {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: text)
    } catch {
      throw UnreadableBody(error.message, help: nil)
    }
  }
}

/// An exchange in short.
func exchange(
  _ method: String, _ url: String, status: Int = 200, headers: [(String, String)] = [], body: String = "",
  sent: [(String, String)] = [], sentBody: String = ""
) throws -> ContractExchange {
  ContractExchange(
    method: method, url: try HTTPURL(parsing: url.hasPrefix("/") ? "http://127.0.0.1:8080\(url)" : url),
    requestHeaders: HeaderFields(sent), requestBody: Array(sentBody.utf8), status: status,
    headers: HeaderFields(headers), body: TextBody(text: body))
}
