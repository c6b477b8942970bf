internal import CLibXML2
import OperatingSystem

/// Indicates whether documents can be read: libxml2 is installed.
package var isXMLSupported: Bool { libxml2 != nil }

/// The functions of libxml2, loaded with the first document: few runs have one, and with ICU, which it needs, loading
/// takes a tenth of the program's start.
let libxml2: reqrun_libxml2? = {
  guard let library = SharedLibrary.libxml2, let functions = reqrun_load_libxml2(library.handle)?.pointee else {
    return nil
  }
  functions.xmlInitParser()
  return functions
}()
