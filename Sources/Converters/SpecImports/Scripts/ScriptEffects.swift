/// A script of a request or a folder.
struct ImportedScript {
  enum Dialect { case postman, insomnia, bruno, http }

  let dialect: Dialect
  let text: String
  let isTest: Bool
  /// The remark if it cannot be translated; nil remarks on its statements.
  var remark: Untranslated?
}

/// The effects of the scripts of a request, in the words of specs.
struct ScriptEffects {
  /// The values that scripts set before the request is sent.
  var variables: [ImportedVariable] = []
  var headers: [ImportedRequest.Header] = []
  var expectations = ScriptExpectations()
  var captures = ScriptCaptures()
  var untranslated: [Untranslated] = []
  /// The name of the request that the scripts are about.
  var request = ""
  /// The settings of a poll, where a script sends its request again.
  var poll: [(key: String, value: ImportedValue)] = []
  /// The time that scripts wait before the request is sent, in milliseconds.
  var delay = 0

  /// Adds what a script does.
  ///
  /// - Parameter isShared: whether it is that of a folder or a collection, and runs for each of its requests.
  mutating func read(_ script: ImportedScript, isShared: Bool) {
    if script.text.allSatisfy(\.isWhitespace) { return }
    guard script.text.utf8.count <= 1 << 20 else {
      return untranslated.remark("scripts", "a script of \(script.text.utf8.count) bytes")
    }
    let count = untranslated.count
    self = PostmanScript.effects(of: script, isShared: isShared, after: self)
    if let remark = script.remark, untranslated.count > count {
      let sets = untranslated[count...].flatMap(\.sets)
      untranslated.removeSubrange(count...)
      untranslated.append(Untranslated(reason: remark.reason, source: remark.source, sets: sets))
    }
  }
}

extension ImportedScript {
  /// Indicates that it may do different things for requests with different names.
  var readsRequestName: Bool { Self.readsRequestName(text) }

  static func readsRequestName(_ text: String) -> Bool {
    text.contains("info.requestName") || text.contains("req.getName()")
  }

  /// The statements in the words of Postman.
  func statements(of bytes: [UInt8]) -> [JavaScriptStatement] {
    let statements = JavaScriptReader.statements(of: bytes, root: dialect == .insomnia ? "insomnia" : "pm")
    switch dialect {
    case .postman, .insomnia:
      return statements.replacing { expression in
        guard case .call(let callee, let arguments) = expression, let path = callee.path else { return nil }
        return ScriptAssert.replacement(path, arguments)
      }
    case .bruno: return statements.replacing(BrunoScript.replacement)
    case .http: return statements.replacing(HTTPFileScript.replacement)
    }
  }
}
