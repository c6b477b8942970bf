// Checks of foreign file names for contents that would mislead people or programs.

/// Returns whether a run takes a file of that name for a spec or a project file.
package func isSpecName(_ name: String) -> Bool {
  let name = name.lowercased()
  return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
}

/// Returns whether the character is invisible, or changes the direction of the text around it.
package func isHidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return true
  default: break
  }
  switch scalar.value {
  // Direction marks, and characters without width.
  case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: return true
  default: return false
  }
}

/// Returns whether Windows takes the name for a device.
package func isDeviceName(_ name: String) -> Bool {
  let stem = name.prefix { $0 != "." }.lowercased().filter { $0 != " " }
  if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(stem) { return true }
  return stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt")) && stem.last?.isNumber == true
}
