import LibC
import OperatingSystem

/// The descriptor of the worker's end of the channel.
let channelDescriptor: Int32 = 3

/// Prepares the process that `reqrun` started; false if someone else started it.
func prepareWorkerProcess() -> Bool {
  var status = stat()
  guard fstat(channelDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
    let text = Array("reqrun-urlsession is started by reqrun and of no use by itself\n".utf8)
    _ = write(2, text, text.count)
    return false
  }
  _ = fcntl(channelDescriptor, F_SETFD, FD_CLOEXEC)
  // Descriptors that another thread of reqrun was opening may have been inherited.
  for descriptor in channelDescriptor + 1..<1024 { close(descriptor) }
  signal(SIGPIPE, SIG_IGN)
  // Foundation can trap on a response; that needs no core file.
  var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
  #else
    setrlimit(RLIMIT_CORE, &noCore)
  #endif
  return true
}

/// Ends the process as soon as the other end of the descriptor is closed, whatever its other threads are doing.
func endWithPeer(of descriptor: Int32) -> Bool {
  startThread {
    // The end of both directions is always reported.
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    while poll(&entry, 1, -1) >= 0 || errno == EINTR {
      if Int32(entry.revents) & Int32(POLLHUP | POLLERR | POLLNVAL) != 0 { endProcess(0) }
    }
  }
}

/// Ends the process without the destructors of libraries, which other threads may still use.
func endProcess(_ status: Int32) -> Never { _exit(status) }
