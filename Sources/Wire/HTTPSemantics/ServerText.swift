/// Returns whether the text is valid in a header's value.
func isHeaderText(_ text: String) -> Bool {
  text.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
}
