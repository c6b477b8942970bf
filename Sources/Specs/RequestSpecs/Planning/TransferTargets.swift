import Values

/// Checks before a run that fetched files have a valid target, as far as their names are literals.
func checkTargets(
  _ requests: [PlannedRequest], into bag: inout DiagnosticBag,
  _ problem: (FileReference, SourceRange) -> DecodingProblem?
) {
  var known: Set<SourceRange> = []
  for request in requests {
    guard let transfer = request.settings.transferBox?.content else { continue }
    let targets = [transfer.download.value?.to, transfer.download.value?.unzip, transfer.hls.value?.target]
    for target in targets.compactMap(\.self) {
      guard let reference = target.literal, known.insert(target.range).inserted,
        let problem = problem(reference, target.range)
      else { continue }
      bag.error(problem.code, problem.message, at: target.range, help: problem.help)
    }
  }
}
