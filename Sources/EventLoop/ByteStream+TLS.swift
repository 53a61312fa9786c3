import Glibc

extension ByteStream {
    /// Whether the stream speaks TLS.
    package var isSecure: Bool { tls != nil }

    /// Whether the handshake of TLS is not done yet. What is written before goes out behind it.
    package var isSecuring: Bool { if let tls { !tls.isEstablished } else { false } }

    /// Goes on with the handshake; says whether it is done and the stream to be read.
    func shakeHands(_ tls: TLSSession, _ handler: any ByteStreamHandler) -> Bool {
        switch tls.shakeHands() {
        case .done:
            handler.streamDidSecure()
            return isOpen
        case .wantsInput: break
        case .wantsOutput: readAfterWrite()
        case .ended:
            isReading = false
            hasEnded = true
            handler.streamDidEnd()
        case .isPlain:
            self.tls = nil
            handler.streamIsNotSecure()
        case .failed(let error): handler.streamDidFail(error)
        }
        return false
    }

    /// Reads in the loop's next turn what the socket does not tell of.
    func readAgain() {
        let timer = again ?? LoopTimer(loop: loop) { [unowned self] in if isReading { readable() } }
        again = timer
        timer.schedule(afterNanoseconds: 0)
    }

    /// Reads when the socket can take something. Meanwhile input is not told of: it would be again and again.
    func readAfterWrite() {
        readsAfterWrite = true
        watchInput()
        requestWritable()
    }

    /// Encrypts and writes the first of the output, a record at most; in the system's terms.
    ///
    /// What a record takes is always a beginning of all that is there, as long as possible: a record that the socket did not
    /// take whole is asked for again with the same bytes and no fewer.
    func send(by tls: TLSSession) -> (count: Int, code: Int32) {
        guard tls.isEstablished else { return (-1, EAGAIN) }
        if queueStart == queue.count { return write(gathered, by: tls) }
        seal()
        let first = queue[queueStart]
        if first.count - offset >= TLSSession.recordSize || queueStart + 1 == queue.count {
            return write(first, by: tls)
        }
        loop.record.removeAll(keepingCapacity: true)
        var skipped = offset
        for index in queueStart..<queue.count {
            let room = TLSSession.recordSize - loop.record.count
            guard room > 0 else { break }
            loop.record += queue[index][skipped...].prefix(room)
            skipped = 0
        }
        return unsafe loop.record.withUnsafeBytes { unsafe tls.write($0) }
    }

    private func write(_ piece: [UInt8], by tls: TLSSession) -> (count: Int, code: Int32) {
        unsafe piece.withUnsafeBytes { unsafe tls.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }
}
