/// Functions of other tools, in lower case and without `_`, with their equivalents here.
let foreignFunctions = [
  "uppercase": "upper", "toupper": "upper", "touppercase": "upper", "upcase": "upper", "lowercase": "lower",
  "tolower": "lower", "tolowercase": "lower", "downcase": "lower", "strip": "trim", "b64encode": "base64",
  "base64encode": "base64", "btoa": "base64", "tobase64": "base64", "b64decode": "base64_decode",
  "atob": "base64_decode", "frombase64": "base64_decode", "base64urlencode": "base64url",
  "base64urldecode": "base64_decode", "urlencode": "url_encode", "encodeuri": "url_encode",
  "encodeuricomponent": "url_encode", "urldecode": "url_decode", "decodeuricomponent": "url_decode",
  "parseurl": "url", "urlparse": "url", "tojson": "json", "jsonencode": "json", "stringify": "json",
  "parsejson": "from_json", "jsondecode": "from_json", "timestamp": "now | format('unix')", "guid": "uuid",
  "uuidv4": "uuid", "uuid4": "uuid", "randomuuid": "uuid", "uuidv7": "uuid7", "randomint": "random_int",
  "randint": "random_int", "randomstring": "random_string", "randomchoice": "random_item", "choice": "random_item",
  "sample": "random_item", "pick": "random_item", "readfile": "file", "dateformat": "format", "formatdate": "format",
  "strftime": "format", "strptime": "date", "parsedate": "date", "todate": "date", "dateadd": "plus",
  "adddays": "plus", "datediff": "difference", "diff": "difference", "hmac": "hmac_sha256",
  "hmacsha256": "hmac_sha256", "hexencode": "hex", "tohex": "hex", "hexdecode": "from_hex", "unhex": "from_hex",
  "escapehtml": "html_escape", "htmlencode": "html_escape", "unescapehtml": "html_unescape",
  "htmldecode": "html_unescape", "len": "length", "size": "length", "count": "length", "jq": "jsonpath",
  "query": "jsonpath", "jsonquery": "jsonpath", "pluck": "map", "mapby": "map", "append": "concat", "sorted": "sort",
  "sortby": "sort", "distinct": "unique", "uniq": "unique", "reversed": "reverse", "minimum": "min",
  "maximum": "max", "add": "sum", "extend": "merge", "assign": "merge", "seq": "range", "regexreplace": "replace_regex",
  "replaceregex": "replace_regex", "replaceall": "replace", "gsub": "replace_regex", "regex": "match",
  "regexmatch": "match", "regexextract": "match", "search": "match", "ceiling": "ceil", "truncate": "floor",
  "int": "to_integer", "toint": "to_integer", "parseint": "to_integer", "float": "to_number", "number": "to_number",
  "tonumber": "to_number", "parsefloat": "to_number", "str": "to_string", "string": "to_string",
  "tostring": "to_string", "jwtencode": "jwt_sign", "signjwt": "jwt_sign", "jwtdecode": "jwt", "decodejwt": "jwt",
  "verifyjwt": "jwt_verify", "otp": "totp", "faker": "fake", "coalesce": "default",
  "substring": "match(text, pattern)", "substr": "match(text, pattern)", "slice": "match(text, pattern)",
  "ifnull": "default", "today": "now | format('yyyy-MM-dd')", "random": "random_int(0, 1000)",
  "jwtpayload": "jwt(token).claims", "jwtclaims": "jwt(token).claims", "jwtheader": "jwt(token).header",
  "jwtcreate": "jwt_sign", "hs256": "jwt_sign", "rs256": "jwt_sign", "es256": "jwt_sign", "fakername": "fake('name')",
  "fakeremail": "fake('email')", "fakerword": "fake('word')", "fakersentence": "fake('sentence')",
]

/// The function, with its arguments, that another tool has under a name.
func foreignFunction(_ name: String) -> String? { foreignFunctions[name.lowercased().filter { $0 != "_" }] }

/// The expression for a name that other tools have for a value that is computed, such as `today`.
func foreignValue(_ name: String) -> String? {
  guard let written = foreignFunction(name) else { return nil }
  let isWhole = ["now ", "random_int("].contains(where: written.hasPrefix)
  return isWhole || TemplateFunction.named[written]?.standsAlone == true ? written : nil
}
