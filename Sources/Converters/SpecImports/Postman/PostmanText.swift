extension ImportedText {
  /// A text of Postman: `{{name}}` is a variable, `{{$guid}}` a value made by Postman.
  package init(postman text: String) {
    self.init(placeholdersIn: text) { name in
      if name.hasPrefix("$") {
        return dynamicVariables[name].map { .expression($0) } ?? .unknown("{{\(name)}}")
      }
      if name.isEmpty || name.contains("{{") { return .unknown("{{\(name)}}") }
      return .variable(name.hasPrefix("vault:") ? String(name.dropFirst("vault:".count)) : name)
    }
  }
}

/// The expressions for Postman's dynamic variables.
let dynamicVariables = [
  "$guid": "uuid", "$randomUUID": "uuid",
  "$timestamp": "now | format(\"unix\")",
  "$isoTimestamp": #"now | format("yyyy-MM-dd'T'HH:mm:ss.SSSX")"#,
  "$randomInt": "random_int(0, 1000)",
  "$randomBoolean": "random_item([true, false])",
  "$randomAlphaNumeric": "lower(random_string(1))",
  "$randomPassword": "random_string(15)",
  "$randomFullName": "fake(\"name\")", "$randomUserName": "fake(\"name\") | lower | replace(\" \", \"_\")",
  "$randomFirstName": "fake(\"name\") | split(\" \") | first",
  "$randomLastName": "fake(\"name\") | split(\" \") | last",
  "$randomNamePrefix": "random_item([\"Mr.\", \"Mrs.\", \"Ms.\", \"Dr.\"])",
  "$randomEmail": "fake(\"email\")", "$randomExampleEmail": "fake(\"email\")",
  "$randomWord": "fake(\"word\")", "$randomLoremWord": "fake(\"word\")", "$randomNoun": "fake(\"word\")",
  "$randomAdjective": "fake(\"word\")", "$randomVerb": "fake(\"word\")", "$randomLoremSlug": "fake(\"word\")",
  "$randomWords": "fake(\"sentence\")", "$randomPhrase": "fake(\"sentence\")", "$randomLoremText": "fake(\"sentence\")",
  "$randomLoremSentence": "fake(\"sentence\")", "$randomLoremSentences": "fake(\"sentence\")",
  "$randomLoremLines": "fake(\"sentence\")", "$randomLoremParagraph": "fake(\"sentence\")",
  "$randomLoremWords": "fake(\"sentence\")", "$randomCatchPhrase": "fake(\"sentence\")",
  "$randomPrice": "round(random_int(0, 100000) / 100, 2)",
  "$randomBankAccount": "random_int(10000000, 99999999)", "$randomCreditCardMask": "random_int(1000, 9999)",
  "$randomIP": "join([random_int(1, 254), random_int(0, 255), random_int(0, 255), random_int(1, 254)], \".\")",
  "$randomPhoneNumber": "join([random_int(200, 999), random_int(200, 999), random_int(1000, 9999)], \"-\")",
  "$randomSemver": "join([random_int(0, 9), random_int(0, 9), random_int(0, 9)], \".\")",
  "$randomHexColor": "concat(\"#\", hex(random_string(3)))",
  "$randomColor":
    "random_item([\"red\", \"green\", \"blue\", \"yellow\", \"orange\", \"purple\", \"black\", \"white\"])",
  "$randomMonth": "now | plus(\"1mo\") | format(\"MMMM\")", "$randomWeekday": "now | format(\"EEEE\")",
  "$randomCountryCode": "random_item([\"DE\", \"FR\", \"GB\", \"IN\", \"JP\", \"NO\", \"US\"])",
  "$randomLocale": "random_item([\"de\", \"en\", \"es\", \"fr\", \"ja\"])",
  "$randomCurrencyCode": "random_item([\"CHF\", \"EUR\", \"GBP\", \"JPY\", \"USD\"])",
  "$randomDomainName": "concat(fake(\"word\"), \".example\")",
  "$randomUrl": "concat(\"http://\", fake(\"word\"), \".example\")",
  "$randomFileName": "concat(fake(\"word\"), \".txt\")",
]
