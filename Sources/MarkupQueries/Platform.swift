internal import CLibXML2
import OperatingSystem

extension SharedLibrary {
  #if canImport(Darwin)
    /// libxml2, which belongs to the system.
    static var libxml2: SharedLibrary? { process }
  #else
    /// libxml2; nil where it isn't installed.
    static var libxml2: SharedLibrary? { SharedLibrary([REQRUN_LIBXML2_NAME]) }
  #endif
}
