/// A number of bytes for people: `512 bytes`, `1.5 KiB`, `20 MiB`.
package func byteCountText(_ count: Int64) -> String {
  if count < 1024 { return count == 1 ? "1 byte" : "\(count) bytes" }
  var (unit, scale) = ("KiB", Int64(1) << 10)
  for larger in [("MiB", Int64(1) << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)] where count >= larger.1 {
    (unit, scale) = larger
  }
  let whole = count / scale
  // Truncated, not rounded: a limit must not look reached before it is.
  let tenth = count % scale * 10 / scale
  return whole >= 100 || tenth == 0 ? "\(whole) \(unit)" : "\(whole).\(tenth) \(unit)"
}
