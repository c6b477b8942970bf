import APIContracts
import HTTPSemantics
import JSONSchemas
import OperatingSystem
import RequestSpecs
import Synchronization
import Values

/// The contracts of a run, each document read once, however many files name it.
package final class ContractLibrary: Sendable {
  package typealias Loaded = Result<APIContract, BrokenContract>

  private struct Key: Equatable {
    /// The absolute path or the URL of the document.
    let location: String
    let format: SchemaOptions.FormatMode
  }

  /// The contracts in order of first use.
  private let contracts = Mutex<[(key: Key, contract: Loaded)]>([])
  private let fileAccess: @Sendable (_ spec: String) -> FileAccess
  private let countsFields: Bool

  /// - Parameters:
  ///   - countsFields: whether the coverage has the fields of requests.
  ///   - fileAccess: the files that the spec at a path may read.
  package init(countsFields: Bool = false, fileAccess: @escaping @Sendable (_ spec: String) -> FileAccess) {
    self.countsFields = countsFields
    self.fileAccess = fileAccess
  }

  /// The contracts that could be read.
  package var all: [APIContract] {
    contracts.withLock { $0.compactMap { try? $0.contract.get() } }
  }

  /// Warnings about the contracts that could be read.
  package var warnings: [Diagnostic] { all.flatMap(\.warnings) }

  /// Warnings about the declarations of these, which a run finds only at a request that needs them.
  package func check() -> [Diagnostic] { all.flatMap { $0.check() } }

  /// The contract of a document in a file.
  ///
  /// - Parameters:
  ///   - format: the role of `format` in its schemas.
  ///   - range: the place of the path; relative paths are relative to that file.
  ///   - spec: the path of the spec that needs it.
  package func contract(
    file path: String, format: SchemaOptions.FormatMode, from range: SourceRange, spec: String
  ) -> Loaded {
    let access = fileAccess(spec)
    do throws(DecodingProblem) {
      let location = try access.locate(path, beside: range.source.name)
      let name = shownPath(path, beside: range.source.name)
      return loaded(Key(location: location, format: format), namedAt: range) {
        do throws(DecodingProblem) {
          return .success(DocumentBytes(try access.read(location, beside: ""), name: name, location: location))
        } catch {
          return .failure(BrokenContract([.error(error.code, error.message, at: range, help: error.help)]))
        }
      } reading: { (reference, base) throws(ContractReadingProblem) in
        do throws(DecodingProblem) {
          let other = try access.locate(reference, beside: base)
          return DocumentBytes(
            try access.read(other, beside: ""), name: shownName(of: other, beside: location, named: name),
            location: other)
        } catch {
          throw ContractReadingProblem(error.message, help: error.help)
        }
      }
    } catch {
      return .failure(BrokenContract([.error(error.code, error.message, at: range, help: error.help)]))
    }
  }

  /// The contract of a document that was fetched.
  ///
  /// - Parameter name: the URL for messages.
  func contract(
    url: String, named name: String, bytes: [UInt8], format: SchemaOptions.FormatMode, from range: SourceRange
  ) -> Loaded {
    loaded(Key(location: url, format: format), namedAt: range) {
      .success(DocumentBytes(bytes, name: name, location: url))
    } reading: { (reference, _) throws(ContractReadingProblem) in
      throw ContractReadingProblem(
        "a document that is fetched must hold everything itself, and this is another one",
        help: "name a file in which the references are resolved")
    }
  }

  /// The contract of a URL that was fetched before.
  func known(_ url: String, _ format: SchemaOptions.FormatMode) -> Loaded? {
    known(Key(location: url, format: format))
  }

  private func known(_ key: Key) -> Loaded? {
    contracts.withLock { $0.first { $0.key == key }?.contract }
  }

  private func loaded(
    _ key: Key, namedAt range: SourceRange, _ content: () -> Result<DocumentBytes, BrokenContract>,
    reading: @escaping DocumentReading
  ) -> Loaded {
    if let known = known(key) { return known }
    let result: Loaded
    switch content() {
    case .failure(let problem): result = .failure(problem)
    case .success(let bytes):
      result = loading(bytes, format: key.format, countsFields: countsFields, reading: reading).mapError { problem in
        BrokenContract(
          problem.diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if range != .none { diagnostic.notes.append(Diagnostic.Note("named here", at: range)) }
            return diagnostic
          })
      }
    }
    contracts.withLock { $0.append((key, result)) }
    return result
  }
}

private func shownPath(_ path: String, beside source: String) -> String {
  guard !path.hasPrefix("/"), let slash = source.lastIndex(of: "/") else { return path }
  var parts: [Substring] = []
  for part in (source[...slash] + path).split(separator: "/", omittingEmptySubsequences: false) where part != "." {
    if part == "..", let last = parts.last, last != "..", !last.isEmpty {
      parts.removeLast()
    } else {
      parts.append(part)
    }
  }
  return parts.joined(separator: "/")
}

/// The name of a file below the directory of another one, in the style of the other's name.
private func shownName(of location: String, beside main: String, named name: String) -> String {
  guard let slash = main.lastIndex(of: "/"), location.hasPrefix(main[...slash]) else { return location }
  return shownPath(String(location[main.index(after: slash)...]), beside: name)
}

private func loading(
  _ bytes: DocumentBytes, format: SchemaOptions.FormatMode, countsFields: Bool, reading: @escaping DocumentReading
) -> ContractLibrary.Loaded {
  let documents: DocumentSet
  do throws(ContractProblem) {
    documents = try DocumentSet(main: bytes, format: format, reading: reading)
  } catch {
    return .failure(BrokenContract([error.diagnostic]))
  }
  do throws(BrokenContract) {
    return .success(try APIContract(documents, countsFields: countsFields))
  } catch {
    return .failure(error)
  }
}
