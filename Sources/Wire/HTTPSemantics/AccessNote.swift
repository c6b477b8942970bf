import Values

/// Explains which credentials a 401 asks for, and how to give them in a spec.
struct AccessNote {
  let head: ResponseHead
  /// The `Authorization` that was sent.
  let sent: String?

  var text: String? {
    let lines = head.headers.values("WWW-Authenticate").filter { !$0.isEmpty }
    let challenges = parseChallenges(lines)
    let sentScheme = sent?.split(separator: " ").first.map(String.init)
    guard !challenges.isEmpty else {
      return sent == nil
        ? "no credentials were sent, and the server does not say which it wants (no WWW-Authenticate): see `auth`"
        : nil
    }
    let asked = "WWW-Authenticate: \(Excerpt(challenges.map(shown).joined(separator: ", "), limit: 160))"
    guard let sentScheme else { return "the server wants credentials (\(asked))\(advice(challenges))" }
    guard let challenge = challenges.first(where: { equalsIgnoringCase($0.scheme, sentScheme) }) else {
      return "\(sentScheme) credentials were sent, and the server wants others (\(asked))\(advice(challenges))"
    }
    let reason = challenge.parameter("error_description") ?? challenge.parameter("error")
    return "the server did not accept the \(challenge.scheme) credentials"
      + (reason.map { ": \(Excerpt($0, limit: 160))" } ?? " (\(asked))")
  }

  /// A challenge without the parts that only programs need, such as nonces.
  private func shown(_ challenge: Challenge) -> String {
    let parameters = challenge.parameters.filter { ["realm", "scope", "error"].contains($0.name) }
    return ([challenge.scheme] + parameters.map { "\($0.name)=\"\($0.value)\"" }).joined(separator: " ")
  }

  /// Advice on sending credentials for the strongest scheme that the server names.
  private func advice(_ challenges: [Challenge]) -> String {
    let known = [
      ("Digest", "digest: {username: …, password: …}"), ("Basic", "basic: {username: …, password: …}"),
      ("Bearer", "bearer: …"), ("NTLM", "ntlm: {username: …, password: …}"), ("Negotiate", "negotiate"),
    ]
    let form = known.first { entry in challenges.contains { equalsIgnoringCase($0.scheme, entry.0) } }
    return form.map { scheme, form in
      ": write `auth: \(scheme == "Negotiate" ? form : "{\(form)}")`"
    } ?? ""
  }
}
