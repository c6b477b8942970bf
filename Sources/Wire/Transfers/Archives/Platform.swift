import CLibArchive
import OperatingSystem

extension SharedLibrary {
  #if canImport(Darwin)
    /// The libarchive that the program is linked with.
    static var libarchive: SharedLibrary? { process }
  #else
    /// The libarchive library; nil if it isn't installed.
    static var libarchive: SharedLibrary? { SharedLibrary([REQRUN_LIBARCHIVE_NAME]) }
  #endif
}
