import HTTPSemantics
import Values

extension RequestSettings {
  /// Indicates whether `parameters` form the body; nil if it is only known at run time.
  package var sendsParametersAsBody: Bool? {
    guard !parameters.isEmpty else { return false }
    switch (encoding.parameterFormat, encoding.parameterDestination) {
    case (.json?, _): return true
    case (.form?, let destination?):
      if destination != .methodDependent { return destination == .body }
      return knownMethod.map { !destination.isQuery(method: $0.rawValue) }
    default: return nil
    }
  }
}

extension EncodingSettings {
  /// The format of `parameters`; nil if it depends on a template.
  package var parameterFormat: EncodingOptions.Format? {
    guard let option = entries.last(where: { $0.key == "format" })?.option else { return (preset ?? .standard).format }
    if case .format(let format)? = option.literal { return format }
    return nil
  }

  /// The destination of `parameters`; nil if it depends on a template.
  package var parameterDestination: EncodingOptions.Destination? {
    guard let option = entries.last(where: { $0.key == "destination" })?.option else {
      return (preset ?? .standard).destination
    }
    if case .destination(let destination)? = option.literal { return destination }
    return nil
  }
}
