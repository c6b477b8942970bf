import Values

extension TemplateFunction {
  static let mappingFunctions = [
    TemplateFunction(
      "keys", ["mapping"], takes: "a mapping", yields: "the list of its names, of its values", result: .always(.list),
      .tracking(keys)),
    TemplateFunction("values", ["mapping"], result: .always(.list), .tracking(values)),
    TemplateFunction(
      "merge", ["mappings…"], takes: "mappings", yields: "one mapping of all members; of a name the last value counts",
      result: .always(.mapping), .tracking(merge)),
  ]
}

private func keys(_ call: FunctionCall) throws(TemplateError) -> Value {
  .list(try call.mapping(0).members.map { .text($0.key) })
}

private func values(_ call: FunctionCall) throws(TemplateError) -> Value {
  .list(try call.mapping(0).members.map(\.value))
}

private func merge(_ call: FunctionCall) throws(TemplateError) -> Value {
  var members: [Mapping.Member] = []
  var places: [Text: Int] = [:]
  for index in 0..<call.count {
    for member in try call.mapping(index).members {
      if call.meter.isOver(after: 2) { throw call.interruption }
      if let place = places[member.key] {
        members[place] = member
      } else {
        places[member.key] = members.count
        members.append(member)
      }
    }
    try ResultLimit.check(size: members.count * MemoryLayout<Mapping.Member>.stride, at: call.range)
  }
  return .mapping(Mapping(members))
}
