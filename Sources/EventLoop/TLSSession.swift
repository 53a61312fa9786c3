internal import COpenSSL
import Glibc

/// The server's side of TLS on one socket, which belongs to a stream; used on its loop's thread.
///
/// OpenSSL's state is made when the first byte has come: a peer that sends nothing costs none.
@safe final class TLSSession {
    /// How much of the output one record takes at most, in bytes (RFC 8446, 5.1).
    static let recordSize = 16_384
    /// How often one turn reads from the socket, twice for each record, before other streams have theirs. What is left makes
    /// the socket readable again.
    private static let readsPerTurn = 32

    /// What became of the handshake.
    enum Handshake {
        /// Both sides have agreed.
        case done
        /// It goes on when the peer has sent something.
        case wantsInput
        /// It goes on when the socket can take something.
        case wantsOutput
        /// The peer has ended its side without having sent anything.
        case ended
        /// What the peer sends is no TLS; nothing of it was taken.
        case isPlain
        /// It has failed; the peer was told why if it can understand that.
        case failed(EventLoopError)
    }

    /// What a read brought, in the system's terms.
    struct Input {
        /// The bytes read; 0 for the end; -1 for nothing, for the reason in `code`.
        var count: Int
        var code: Int32 = 0
        /// Whether there is more to be read that the socket does not tell of.
        var comesAgain = false
        /// Whether nothing can be read before the socket has taken something.
        var wantsOutput = false
    }

    private let context: TLSContext
    private let descriptor: Int32
    private var handle: OpaquePointer?
    /// Whether the handshake is done.
    private(set) var isEstablished = false
    /// Whether the next reads belong to the turn in which the handshake was done.
    private var readsAreCounted = false
    /// Whether an error has ended everything.
    private var isBroken = false

    init(_ context: TLSContext, descriptor: Int32) {
        self.context = context
        self.descriptor = descriptor
    }

    deinit {
        unsafe SSL_free(handle)
    }

    /// Goes on with the handshake.
    func shakeHands() -> Handshake {
        if unsafe handle == nil {
            var first: UInt8 = 0
            let count = unsafe recv(descriptor, &first, 1, Int32(MSG_PEEK))
            let code = errno
            guard count > 0 else {
                if count == 0 { return .ended }
                if code == EAGAIN || code == EINTR { return .wantsInput }
                return .failed(EventLoopError(.connectionLost, "the connection is lost", cause: code))
            }
            // Every TLS client begins with a record of the handshake protocol (RFC 8446, 5.1).
            guard first == 22 else { return .isPlain }
            let failure = EventLoopError(.connectionLost, "OpenSSL makes no session")
            guard let made = unsafe context.makeHandle() else { return .failed(failure) }
            guard unsafe SSL_set_fd(made, descriptor) == 1 else {
                unsafe SSL_free(made)
                return .failed(failure)
            }
            unsafe handle = unsafe made
        }
        ERR_clear_error()
        unsafe medley_tls_allow_reads(handle, Self.readsPerTurn)
        let result = unsafe SSL_do_handshake(handle)
        let code = errno
        if result == 1 {
            isEstablished = true
            readsAreCounted = true
            return .done
        }
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ: return .wantsInput
        case SSL_ERROR_WANT_WRITE: return .wantsOutput
        default:
            isBroken = true
            return .failed(EventLoopError(.connectionLost, "the TLS handshake failed\(Self.reason())", cause: code))
        }
    }

    /// Reads until the buffer is full or nothing is left.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Input {
        var count = 0
        // In the turn in which it ends, the handshake has had its share of them.
        if !readsAreCounted { unsafe medley_tls_allow_reads(handle, Self.readsPerTurn) }
        readsAreCounted = false
        while count < buffer.count {
            ERR_clear_error()
            var step = 0
            let result = unsafe SSL_read_ex(
                handle, buffer.baseAddress?.advanced(by: count), buffer.count - count, &step)
            let code = errno
            if result == 1 {
                count += step
                continue
            }
            var input = failure(result, code)
            if count > 0 {
                // What comes behind the bytes, an end or an error, is told at the next read.
                if input.code != EAGAIN { input.comesAgain = true }
                input.count = count
            }
            return input
        }
        return Input(count: count, comesAgain: holdsInput)
    }

    /// Whether there is something to be read, or an end to be told, that the socket does not tell of.
    var holdsInput: Bool {
        guard isEstablished else { return false }
        return unsafe isBroken || SSL_has_pending(handle) == 1 || SSL_get_shutdown(handle) & SSL_RECEIVED_SHUTDOWN != 0
    }

    /// Writes the first of some bytes, at most a record of them; in the system's terms. What the socket did not take must be
    /// given again, with as many bytes at least.
    func write(_ bytes: UnsafeRawBufferPointer) -> (count: Int, code: Int32) {
        ERR_clear_error()
        var count = 0
        let result = unsafe SSL_write_ex(handle, bytes.baseAddress, bytes.count, &count)
        let code = errno
        if result == 1 { return (count, 0) }
        let input = failure(result, code)
        // A write never waits for input, with nothing negotiated anew: waiting for it would be in vain.
        guard input.count < 0, input.code != EAGAIN || input.wantsOutput else { return (-1, EPROTO) }
        return (-1, input.code)
    }

    /// Tells the peer that no more comes; says whether that is done, or never will be, rather than to be tried again when
    /// the socket can take something.
    func sendClosure() -> Bool {
        guard isEstablished, !isBroken else { return true }
        ERR_clear_error()
        let result = unsafe SSL_shutdown(handle)
        return unsafe result >= 0 || SSL_get_error(handle, result) != SSL_ERROR_WANT_WRITE
    }

    private func failure(_ result: Int32, _ code: Int32) -> Input {
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ: return Input(count: -1, code: EAGAIN)
        case SSL_ERROR_WANT_WRITE: return Input(count: -1, code: EAGAIN, wantsOutput: true)
        case SSL_ERROR_ZERO_RETURN: return Input(count: 0)
        case SSL_ERROR_SYSCALL:
            isBroken = true
            return Input(count: -1, code: code == 0 || code == EAGAIN ? ECONNRESET : code)
        default:
            isBroken = true
            return Input(count: -1, code: EPROTO)
        }
    }

    private static func reason() -> String {
        guard let words = unsafe ERR_reason_error_string(ERR_peek_last_error()) else { return "" }
        return unsafe " (\(String(cString: words)))"
    }
}
