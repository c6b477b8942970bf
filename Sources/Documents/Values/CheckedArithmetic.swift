/// Arithmetic on numbers that come from files, servers or the command line: nil, or the nearest value, if the result
/// overflows.
extension FixedWidthInteger {
  package func adding(_ other: Self) -> Self? {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? nil : sum
  }

  package func addingClamped(_ other: Self) -> Self {
    adding(other) ?? (other < 0 ? .min : .max)
  }

  package func subtracting(_ other: Self) -> Self? {
    let (difference, isOverflow) = subtractingReportingOverflow(other)
    return isOverflow ? nil : difference
  }

  package func multiplied(by other: Self) -> Self? {
    let (product, isOverflow) = multipliedReportingOverflow(by: other)
    return isOverflow ? nil : product
  }
}
