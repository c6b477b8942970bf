import OperatingSystem
import Templates
import Values
import YAMLNodes

/// A file of one request while it is read.
struct SingleRequest {
  var file: SpecFile
  var request: RequestDraft
}

/// The keys of a file with a single request: the file's and the request's.
let singleRequestKeys: Keys<SingleRequest> = Keys(
  fileKeys.all.filter { !["name", "requests", "flows", "each"].contains($0.name) }.map { key in
    key.within { $1(&$0.file) }
  }
    + requestKeys.all.filter { ["name", "each"].contains($0.name) || !fileKeys.names.contains($0.name) }.map { key in
      key.within { $1(&$0.request) }
    },
  synonyms: ["vars": "variables", "before": "setup", "after": "teardown", "params": "query"],
  advice: requestKeys.names.advice.filter { !["vars", "before", "after"].contains($0.key) },
  usual: requestKeys.names.usual)
