Feature: x

Scenario: a
  * url 'http://x'
