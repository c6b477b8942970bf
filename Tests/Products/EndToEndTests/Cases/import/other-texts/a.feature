Feature: x
Scenario: a
