import ReqrunKit

/// Returns the reports of `--report KIND=PATH`; throws if a path has the ending of another kind.
func reports(_ pairs: [(name: String, value: String)], at path: (String) -> String) throws(UsageError) -> [Report] {
  for (kind, file) in pairs {
    guard let ending = foreignEndings[kind]?.first(where: { file.hasSuffix(".\($0)") }) else { continue }
    throw UsageError(
      "--report \(kind)=\(file): a report of this kind is not a .\(ending) file",
      help: "write the kind that you want before `=`, such as html=report.html")
  }
  return pairs.compactMap { Report(kind: $0.name, path: path($0.value)) }
}

/// The endings of files, by kinds of report that have another form.
private let foreignEndings = [
  "html": ["json", "xml", "jsonl", "md"], "json": ["html", "xml", "md"], "junit": ["html", "json", "md"],
  "markdown": ["html", "json", "xml"],
]
