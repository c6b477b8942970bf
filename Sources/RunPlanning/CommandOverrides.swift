import Diagnostics
import RequestSpecs
import Values

/// Variables from the command line and dotenv files, read as the type of the variable that they replace.
struct CommandOverrides {
  let options: PlanningOptions

  func typed(like declared: KeyedSettings<ValueTemplate>, into bag: inout DiagnosticBag) -> [String: Value] {
    var result: [String: Value] = [:]
    for variable in options.environmentFile + options.variables {
      let entry = declared.entries.first { $0.key.text == variable.name }
      guard variable.isText, case .text(let text) = variable.value, let literal = entry?.value?.literal else {
        result[variable.name] = variable.value
        continue
      }
      guard let value = convert(text.string, to: literal) else {
        bag.error(
          "`\(variable.name)` is declared as \(literal.kind.phrase), and \"\(jsonEscaped(text.masked))\" is none",
          at: entry?.key.range, help: "give it as JSON with --var '\(variable.name):=…' to change its type")
        continue
      }
      result[variable.name] = value
    }
    return result
  }

  private func convert(_ text: String, to declared: Value) -> Value? {
    switch declared {
    case .number: Number(parsing: text).map { .number($0) }
    case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .null: text == "null" || text.isEmpty ? .null : .text(text)
    default: .text(text)
    }
  }
}
