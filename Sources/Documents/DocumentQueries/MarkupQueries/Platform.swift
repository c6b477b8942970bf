internal import CLibXML2
import OperatingSystem

extension SharedLibrary {
  #if canImport(Darwin)
    /// The system's libxml2.
    static var libxml2: SharedLibrary? { process }
  #else
    /// The libxml2 library; nil if it isn't installed.
    static var libxml2: SharedLibrary? { SharedLibrary([REQRUN_LIBXML2_NAME, REQRUN_LIBXML2_OTHER_NAME]) }
  #endif
}
