import CLibArchive
import OperatingSystem

/// The functions of libarchive, which is loaded with the first archive; nil if it isn't installed.
let libarchive: reqrun_libarchive? = {
  guard let library = SharedLibrary.libarchive else { return nil }
  return reqrun_load_libarchive(library.handle)?.pointee
}()

/// Returns the reason why no archive can be extracted; nil if extraction works.
package func archiveProblem() -> (message: String, help: String)? {
  guard libarchive == nil else { return nil }
  return ("an archive is unpacked by libarchive, which isn't here", "install libarchive, or leave out `unzip`")
}
