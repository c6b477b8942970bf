import OperatingSystem
import WorkerProtocol

// The worker of `reqrun`: performs exchanges with URLSession, requested on a descriptor, and ends when that is closed.

openStandardStreams()
guard prepareWorkerProcess(), endWithPeer(of: channelDescriptor) else { endProcess(2) }
let desk = WorkerDesk(channel: FrameChannel(descriptor: channelDescriptor))
desk.serve()
endProcess(0)
