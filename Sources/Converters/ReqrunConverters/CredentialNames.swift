import RequestSpecs
import Templates
import Values

/// The names that credentials read, directly or through variables; no export writes the values of such variables.
struct CredentialNames {
  private(set) var names: Set<String> = []
  private var reads: [String: Set<String>] = [:]
  private var pending: [String] = []

  init(_ plans: [PlannedFile]) {
    for plan in plans.withReused {
      for scope in [plan.scope, plan.sharedScope].compactMap(\.self) { add(scope.variables) }
      for request in plan.requestSteps.map(\.request) {
        add(request.spec.variables)
        if let use = request.spec.use { add(use.file.arguments) }
        add(request.settings)
      }
    }
    while let name = pending.popLast() {
      if names.insert(name).inserted { pending += reads[name] ?? [] }
    }
  }

  private mutating func add(_ variables: KeyedSettings<ValueTemplate>) {
    for entry in variables.entries {
      reads[entry.key.text, default: []].formUnion(entry.value?.templates.names ?? [])
    }
  }

  private mutating func add(_ settings: RequestSettings) {
    let connection = [settings.connection?.proxy.password, settings.connection?.tls.passphrase]
    let fields = (settings.auth.value?.secretFields ?? []) + connection.compactMap { $0?.value }
    pending += fields.flatMap(\.templates).names
    for entry in settings.cookies.entries { pending += entry.value?.templates.names ?? [] }
    for values in [settings.headers, settings.parameters] { addSecrets(of: values) }
    switch settings.body.value {
    case .json(let value)?: addSecrets(in: value)
    case .form(let form, _)?: addSecrets(of: form)
    case .graphQL(_, let variables?, _, _, _)?: addSecrets(in: variables)
    case .multipart(let parts, _)?:
      for entry in parts.entries where isSecretName(entry.key.text) {
        pending += (entry.value ?? []).flatMap(\.templates).names
      }
    default: break
    }
  }

  private mutating func addSecrets(of values: KeyedSettings<ValueTemplate>) {
    for entry in values.entries {
      if let value = entry.value { addSecrets(in: value, under: entry.key.text) }
    }
  }

  /// Adds what stands under names of secrets. Values nest as deep as YAML may.
  private mutating func addSecrets(in value: ValueTemplate, under name: String = "") {
    if isMaskedHeader(name) || isSecretName(name) {
      pending += value.templates.names
      return
    }
    switch value.content {
    case .list(let items): for item in items { addSecrets(in: item) }
    case .mapping(let members): for member in members { addSecrets(in: member.value, under: member.key.text) }
    case .literal, .template, .secret: break
    }
  }
}

extension [Template] {
  fileprivate var names: [String] { flatMap { $0.references.map(\.name) } }
}
