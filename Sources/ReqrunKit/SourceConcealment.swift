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
      file.defaults.concealSecrets()
      for request in file.setup + file.requests + file.teardown { request.settings.concealSecrets() }
    }
    project?.secrets.conceal()
    project?.contract.value?.range.concealUserinfo()
    project?.defaults.concealSecrets()
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

extension RequestSettings {
  fileprivate func concealSecrets() {
    for entry in headers.entries where entry.value?.literal != nil && isMaskedHeader(entry.key.text) {
      entry.value?.range.conceal()
    }
    for field in [url.value, baseURL.value] {
      field?.range.concealUserinfo()
    }
  }
}

extension SourceRange {
  /// Conceals the credentials in a URL.
  func concealUserinfo() {
    guard let userinfo = userinfoRange(text) else { return }
    SourceRange(source, bytes.lowerBound + userinfo.lowerBound..<bytes.lowerBound + userinfo.upperBound).conceal()
  }
}
