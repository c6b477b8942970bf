import OperatingSystem
import WorkerProtocol

// The worker of `reqrun`: it runs exchanges by URLSession, asked for on a descriptor, and ends when that does.

openStandardStreams()
guard prepareWorkerProcess(), endWithPeer(of: channelDescriptor) else { endProcess(2) }
let desk = WorkerDesk(channel: FrameChannel(descriptor: channelDescriptor))
desk.serve()
endProcess(0)
