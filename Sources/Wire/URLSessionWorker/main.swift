import OperatingSystem
import WorkerTransport

// The worker of `reqrun`: performs exchanges with URLSession, requested on a descriptor, and ends when that is closed.

openStandardStreams()
guard prepareWorkerProcess(), endWithPeer(of: channelDescriptor) else { endProcess(2) }
let coordinator = WorkerServer(channel: FrameChannel(descriptor: channelDescriptor))
coordinator.serve()
endProcess(0)
