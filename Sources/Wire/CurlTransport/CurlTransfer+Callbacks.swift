import CLibCurl
import HTTPSemantics
import Values

extension CurlTransfer {
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    clock.noteActivity()
    if heldHead != nil, line.starts(with: "HTTP/".utf8) {
      heldHead = nil
      heads = ResponseHeadReader()
    }
    if heads.isComplete {
      // libcurl limits headers, but not these.
      trailerBytes += line.count
      if trailerBytes > Self.maxTrailersSize {
        failure = .trailersTooLarge
        return false
      }
    }
    switch heads.read(line) {
    case .unfinished: break
    case .informational(let head):
      if head.status == 100, !request.body.isUpgrade { endExpectation() }
      sink.receive(informational: head)
    case .final(let head):
      endExpectation(isUpgraded: head.status == 101)
      if request.mayBeAnswered(byTransport: head) { heldHead = head } else { return deliver(head) }
    }
    return true
  }

  /// Delivers a head; returns whether to continue.
  func deliver(_ head: ResponseHead) -> Bool {
    heldHead = nil
    if let fault = head.framingFault ?? request.proxyRefusal(head) {
      failure = fault
      return false
    }
    // Only available while the connection is in use, whether it is new or not.
    isDecoded = request.options.decompresses && head.headers.contains("Content-Encoding")
    isOpenEnded =
      stream.isHeard && request.method != .head && ![204, 304].contains(head.status)
      && !head.headers.contains("Content-Length")
    if request.options.wantsCertificates, let easy { certificateChain = CertificateRecord.chain(of: easy) }
    isStopped = sink.receive(head: head) == .stop
    // libcurl would wait for the body that this HEAD, sent as an upload, doesn't have; 101 ends HTTP.
    if head.status == 101 && !request.body.isUpgrade || request.method == .head && !request.body.isEmpty {
      isStopped = true
    }
    return !isStopped
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> Bool {
    clock.noteActivity()
    if let head = heldHead, !deliver(head) { return false }
    guard heads.isComplete else {
      failure = stream.resetError ?? .noStatusLine(chunk, request.url)
      return false
    }
    receivedBodyBytes += Int64(chunk.count)
    if let limit = request.limits.maxBodyBytes, receivedBodyBytes > limit {
      failure = .bodyTooLarge(limit: limit)
      return false
    }
    isStopped = sink.receive(body: chunk) == .stop
    return !isStopped
  }

  /// - Returns: nil if the body can't be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading? {
    if nextLook == nil { clock.noteActivity() } else if isClosedByPeer { return .end }
    if let reading = readingInExpectation() { return reading }
    do throws(TransportError) {
      let reading = try body.read(into: buffer)
      if case .bytes(let count) = reading, count > 0 {
        sentBodyBytes += Int64(count)
        sink.sent(bodyBytes: sentBodyBytes)
      }
      return reading
    } catch {
      failure = error
      return nil
    }
  }

  func seek(to offset: Int64) -> Bool {
    sentBodyBytes = offset
    return body.seek(to: offset)
  }

  /// Indicates whether the transfer may wait for something that only the loop resumes.
  var maySleep: Bool { receiveRate != nil || request.expectsContinue || request.body.isUpgrade }

  /// The time at which the request's body is sent even without a response of the server.
  var expectationEnd: ContinuousClock.Instant? {
    if case .waiting(let end) = expectation { end } else { nextLook }
  }

  /// The result of reading while the server decides whether the body is sent; nil if it is.
  private func readingInExpectation() -> BodyReading? {
    switch expectation {
    case .none: return nil
    case .asked:
      expectation = .waiting(until: .now + Self.longestExpectation)
      return .nothingYet
    case .waiting(let end):
      if end > .now { return .nothingYet }
      expectation = .none
      return nil
    case .upgrade: return .nothingYet
    case .refused: return .end
    }
  }

  private func endExpectation(isUpgraded: Bool = false) {
    switch expectation {
    case .none, .asked: expectation = .none
    case .waiting:
      onReadableBody?()
      expectation = .none
    case .upgrade, .refused:
      onReadableBody?()
      expectation = isUpgraded ? .none : .refused
    }
  }

  /// - Returns: the outcome, if that ends the exchange.
  func resumeSending() -> Outcome? {
    guard let easy else { return nil }
    if nextLook != nil { nextLook = .now + .milliseconds(100) }
    let code = curl_easy_pause(easy, pauseEnd == nil ? reqrun_pause_nothing : reqrun_pause_receiving)
    return code == CURLE_OK ? nil : outcome(of: code)
  }

  /// Collects a part of the sent head; a tunnel's head isn't the request's.
  func noteSent(head piece: UnsafeRawBufferPointer) {
    if sentHead.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] { sentHead = [] }
    sentHead += piece
    if sentHead.starts(with: "CONNECT ".utf8), request.method.rawValue != "CONNECT" { sentHead = [] }
  }
}
