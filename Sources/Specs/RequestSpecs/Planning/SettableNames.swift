import Templates

/// The names that a file's layers declare or read, which the command line may set.
package struct SettableNames {
  package private(set) var names: Set<String> = []
  /// Indicates whether there are no others: false if the file has errors that may hide some.
  package let isComplete: Bool

  package init(of spec: LoadedSpec) {
    let layers = spec.layers
    isComplete = spec.isComplete && !layers.contains(where: \.hasErrors)
    for layer in layers {
      add(layer.variables, layer.secrets, layer.contract.value?.templates ?? [])
      if let defaults = layer.defaults { add(defaults) }
    }
    for flow in spec.file.flows {
      add(
        flow.variables, [],
        (flow.name?.templates ?? []) + flow.conditionTemplates + (flow.contract.value?.templates ?? []))
      if let rows = flow.rows { add(rows.sourceTemplates + rows.rowTemplates) }
      if let defaults = flow.defaults { add(defaults) }
    }
    for request in spec.file.allRequests { add(request) }
    for need in spec.file.needs { add(need.file.arguments.templates) }
  }

  private mutating func add(
    _ variables: KeyedSettings<ValueTemplate>, _ secrets: [SecretDeclaration], _ contract: [Template]
  ) {
    for entry in variables.entries {
      names.insert(entry.key.text)
      add(entry.value?.templates ?? [])
    }
    for secret in secrets {
      names.insert(secret.name)
      add(secret.value?.templates ?? [])
    }
    add(contract)
  }

  private mutating func add(_ request: RequestSpec) {
    add(request.name?.templates ?? [])
    if let rows = request.rows { add(rows.sourceTemplates + rows.rowTemplates) }
    add(request.variables, [], [])
    if let use = request.use { add(use.file.arguments.templates) }
    add(request.settings)
  }

  private mutating func add(_ settings: RequestSettings) {
    add(settings.sendingTemplates)
    add(settings.checkingTemplates)
    for request in settings.transferBox?.content.stream.value?.during ?? [] { add(request) }
  }

  private mutating func add(_ templates: [Template]) {
    for template in templates {
      for reference in template.references where !rowNames.contains(reference.name) { names.insert(reference.name) }
    }
  }
}
