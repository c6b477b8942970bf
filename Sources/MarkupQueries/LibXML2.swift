internal import CLibXML2
import OperatingSystem

/// The functions of libxml2, which is loaded with the first document: few runs have one, and with the ICU that it needs
/// it takes a tenth of the time in which the program starts.
let libxml2: reqrun_libxml2? = {
  guard let library = SharedLibrary.libxml2, let functions = reqrun_load_libxml2(library.handle)?.pointee else {
    return nil
  }
  functions.xmlInitParser()
  return functions
}()
