/// Arithmetic on numbers that a file, a server or a command line has a say in: nil, or the nearest there is, where the
/// result does not fit.
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
