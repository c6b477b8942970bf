import Cryptography
import Values

/// The page of the HTML report, around its data. It loads nothing, and no script runs on it but its own.
package enum ReportPage {
  /// The style sheet, all of it.
  static let style = PackageResources.page_css

  /// The script, all of it: its files one after another, each with one subject.
  static let script: [UInt8] =
    Array("\"use strict\";\n".utf8) + PackageResources.dom_js + PackageResources.model_js + PackageResources.filter_js
    + PackageResources.charts_js + PackageResources.highlight_js + PackageResources.tree_js
    + PackageResources.request_js + PackageResources.overview_js + PackageResources.app_js

  /// Nothing is loaded or run but the script and the style sheet with these hashes, and nothing is parsed as markup.
  static let policy =
    "default-src 'none'; script-src '\(hash(script))'; style-src '\(hash(style))'; img-src data:; base-uri 'none'; "
    + "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

  private static func hash(_ bytes: [UInt8]) -> String {
    "sha256-" + base64Encoded(DigestAlgorithm.sha256.digest(of: bytes))
  }

  /// The page before its data.
  ///
  /// - Parameters:
  ///   - title: the title of the page, as text.
  ///   - isGood: whether the icon is that of a run without failures.
  ///   - plain: the page as HTML for browsers that run no script.
  package static func opening(title: String, isGood: Bool, plain: String) -> [UInt8] {
    let color = isGood ? "%2317713a" : "%23b3261e"
    let sign = isGood ? "M4 8.5l3 3 5-6" : "M5 5l6 6M11 5l-6 6"
    let head = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(markup(title))</title>
      <link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' \
      height='16' rx='3' fill='\(color)'/><path d='\(sign)' stroke='white' stroke-width='2' fill='none'/></svg>">
      <style>
      """
    let body = """
      </style>
      </head>
      <body>
      <div id="report"><p class="loading">Loading …</p></div>
      <noscript><div class="plainly">\(plain)</div></noscript>

      """
    return Array(head.utf8) + style + Array(body.utf8)
  }

  /// The page after its data.
  package static let closing = Array("<script>".utf8) + script + Array("</script>\n</body>\n</html>\n".utf8)

  /// A block of data that the script reads. It is never run.
  ///
  /// - Parameter attribute: the attribute by which the script finds it, such as `id="run"`.
  package static func data(_ attribute: String, json: some Sequence<UInt8>) -> [UInt8] {
    Array("<script type=\"application/json\" \(attribute)>".utf8) + embedded(json) + Array("</script>\n".utf8)
  }

  /// A block of data as base64, whose alphabet can't end a block.
  package static func data(_ attribute: String, base64 bytes: [UInt8]) -> [UInt8] {
    Array("<script type=\"text/plain\" \(attribute)>\(base64Encoded(bytes))</script>\n".utf8)
  }
}
