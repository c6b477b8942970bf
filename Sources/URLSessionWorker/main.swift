import Foundation
import HTTPMessages
import Synchronization
import URLSessionTransport
import WorkerProtocol

#if canImport(Glibc)
  import Glibc
#endif

// The worker of `reqrun`: it runs exchanges by URLSession, asked for on descriptor 3, and ends when that does.

var status = stat()
guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
  FileHandle.standardError.write(Data("reqrun-urlsession is started by reqrun and of no use by itself\n".utf8))
  exit(2)
}
_ = fcntl(3, F_SETFD, FD_CLOEXEC)
// What another thread of reqrun opened just then may have come along.
for descriptor in Int32(4)..<1024 { close(descriptor) }
signal(SIGPIPE, SIG_IGN)
// Foundation can trap on an answer; that needs no core file.
var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
#if canImport(Glibc)
  setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
#else
  setrlimit(RLIMIT_CORE, &noCore)
#endif

let desk = WorkerDesk(channel: FrameChannel(descriptor: 3))
desk.serve()
exit(0)
