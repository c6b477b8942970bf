import HTTPSemantics
import Matching
import Values

/// The correct form of a status in another notation, such as `200-299`; nil if there is no simple one.
func statusInstead(of text: String) -> String? {
  let plain = text.filter { $0 != " " }.lowercased()
  let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }.filter { (100...999).contains($0) }
  let signs = plain.filter { !$0.isNumber }
  let status: String?
  switch (numbers.count, signs) {
  case (2, "-"), (2, ".."), (2, "to"), (2, "–"), (2, "…"),
    (2, "....") where numbers[0] <= numbers[1]:
    let (low, high) = (numbers[0], numbers[1])
    status = high % 100 == 99 ? "\(low)..<\(high + 1)" : "\(low)...\(high)"
  case (2..., _) where signs.allSatisfy({ ",|/;or[]".contains($0) }):
    status = "[\(numbers.map(String.init).joined(separator: ", "))]"
  case (1, ">="): status = "\(numbers[0])...999"
  case (1, ">") where numbers[0] < 999: status = "\(numbers[0] + 1)...999"
  case (1, "<") where numbers[0] > 100: status = "100..<\(numbers[0])"
  case (1, "<="): status = "100...\(numbers[0])"
  case (1, "not"), (1, "!="), (1, "!"), (1, "ne"), (1, "<>"): status = "{not_equals: \(numbers[0])}"
  case (1, "=="), (1, "="): status = "\(numbers[0])"
  case (1, _) where signs.allSatisfy(\.isLetter): status = "\(numbers[0])"
  default: status = statusWords[plain.filter(\.isLetter)]
  }
  if let status { return "write \(status)" }
  let family = plain.prefix(1)
  guard plain.utf8.count == 3, let digit = Int(family), (1...9).contains(digit),
    plain.dropFirst().allSatisfy({ "x*?0123456789#_".contains($0) })
  else { return nil }
  return "write \(digit)xx"
}

private let statusWords = [
  "ok": "200", "success": "2xx", "successful": "2xx", "created": "201", "accepted": "202", "nocontent": "204",
  "redirect": "3xx", "movedpermanently": "301", "found": "302", "notmodified": "304", "clienterror": "4xx",
  "badrequest": "400", "unauthorized": "401", "forbidden": "403", "notfound": "404", "conflict": "409",
  "unprocessableentity": "422", "toomanyrequests": "429", "servererror": "5xx", "internalservererror": "500",
  "badgateway": "502", "serviceunavailable": "503", "gatewaytimeout": "504",
]
