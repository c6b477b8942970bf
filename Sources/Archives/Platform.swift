internal import CLibArchive
import OperatingSystem

extension SharedLibrary {
  #if canImport(Darwin)
    /// libarchive, which the program is linked with.
    static var libarchive: SharedLibrary? { process }
  #else
    /// libarchive; nil where it isn't installed.
    static var libarchive: SharedLibrary? { SharedLibrary([REQRUN_LIBARCHIVE_NAME]) }
  #endif
}
