/// An expression of a script.
indirect enum JavaScriptExpression: Sendable {
  case name(String)
  case number(String)
  case text(String)
  case bool(Bool)
  case null, undefined
  case template([String], [JavaScriptExpression])
  case regex(pattern: String, flags: String)
  case list([JavaScriptExpression])
  case object([(key: String, value: JavaScriptExpression)])
  case member(JavaScriptExpression, String)
  case item(JavaScriptExpression, JavaScriptExpression)
  case call(JavaScriptExpression, [JavaScriptExpression])
  case new(JavaScriptExpression)
  case function(parameters: [String], body: [JavaScriptStatement])
  case prefix(String, JavaScriptExpression)
  case infix(String, JavaScriptExpression, JavaScriptExpression)
  case choice(JavaScriptExpression, JavaScriptExpression, JavaScriptExpression)
  case assignment(JavaScriptExpression, String, JavaScriptExpression)

  /// The names of a chain such as `pm.response.json`, joined by dots; nil for anything else.
  var path: String? {
    switch self {
    case .name(let name): name
    case .member(let base, let name): base.path.map { $0 + "." + name }
    default: nil
    }
  }
}

struct JavaScriptStatement: Sendable {
  indirect enum Kind: Sendable {
    /// A declared name; the names of members for `const {a, b: c} = …`.
    case declaration([(pattern: JavaScriptPattern, value: JavaScriptExpression?)])
    case expression(JavaScriptExpression)
    case condition(JavaScriptExpression, then: [JavaScriptStatement], otherwise: [JavaScriptStatement])
    case attempt([JavaScriptStatement], failure: [JavaScriptStatement])
    case block([JavaScriptStatement])
    case result(JavaScriptExpression?)
    case empty
    /// A loop, a function, a class, or a statement that isn't understood.
    case other
  }

  let kind: Kind
  /// The bytes of the statement in the script.
  let range: Range<Int>
}

enum JavaScriptPattern: Sendable {
  case name(String)
  case members([(key: String, name: String)])
}
