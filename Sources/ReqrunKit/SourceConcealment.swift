import Diagnostics
import RequestSpecs
import RunPlanning
import SpecExecution
import Values

extension LoadedSpec {
  /// Keeps what the files say of secrets out of every drawing of their lines.
  func concealSecrets() {
    for file in bases + [file] {
      file.secrets.conceal()
      file.contract.value?.range.concealUserinfo()
      conceal(file.defaults.headers, [file.defaults.url.value, file.defaults.baseURL.value])
      // By the parts that are looked at: a function of all settings would be handed a copy.
      for request in file.setup + file.requests + file.teardown {
        conceal(request.settings.headers, [request.settings.url.value, request.settings.baseURL.value])
      }
    }
    project?.secrets.conceal()
    project?.contract.value?.range.concealUserinfo()
    if let defaults = project?.defaults { conceal(defaults.headers, [defaults.url.value, defaults.baseURL.value]) }
  }

  private func conceal(_ headers: KeyedSettings<ValueTemplate>, _ urls: [Field<Text>?]) {
    for entry in headers.entries where entry.value?.literal != nil && isMaskedHeader(entry.key.text) {
      entry.value?.range.conceal()
    }
    for url in urls { url?.range.concealUserinfo() }
  }
}

extension [SecretDeclaration] {
  fileprivate func conceal() {
    for secret in self { secret.value.map { conceal($0) } }
  }

  private func conceal(_ template: ValueTemplate) {
    if template.literal != nil { template.range.conceal() }
  }
}

extension SourceRange {
  /// Conceals the credentials in a URL.
  func concealUserinfo() {
    guard let userinfo = userinfoRange(text) else { return }
    SourceRange(source, bytes.lowerBound + userinfo.lowerBound..<bytes.lowerBound + userinfo.upperBound).conceal()
  }
}
