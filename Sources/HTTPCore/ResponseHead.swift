/// The status line and header fields of a response as bytes (RFC 9112, 4).
package struct ResponseHead: Sendable {
    /// How the body is framed.
    package enum Framing: Hashable, Sendable {
        /// No field: there can be no body, or it ends with the connection.
        case none
        /// `Content-Length`, in bytes.
        case length(Int)
        /// `Transfer-Encoding: chunked`.
        case chunked
    }

    /// What the `Connection` field says.
    package enum Persistence: Hashable, Sendable {
        /// No field: the connection stays open as HTTP/1.1 has it.
        case implicit
        /// `keep-alive`, for HTTP/1.0.
        case keepAlive
        /// `close`.
        case close
    }

    /// `HTTP/1.1 100 Continue` with its empty line.
    package static let `continue` = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Appends a head. Control characters in a field, which would begin another, become spaces.
    package static func append(
        to bytes: inout [UInt8], status: Int, headers: HeaderFields, framing: Framing, persistence: Persistence,
        date: [UInt8], requestID: RequestID
    ) {
        let reason = status == 200 ? "OK" : StatusCode.reason(status)
        var room = 160 + reason.utf8.count + date.count + requestID.count
        for field in headers.fields { room += 4 + field.name.utf8.count + field.value.utf8.count }
        // Written in one run and appended once: an append for each word costs several times as much.
        unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
            var writer = unsafe ByteWriter(memory)
            writer.write("HTTP/1.1 ")
            writer.write(decimal: status)
            writer.write(" ")
            writer.write(text: reason)
            writer.write("\r\nDate: ")
            writer.write(date.span)
            writer.write("\r\nX-Request-Id: ")
            requestID.write(to: &writer)
            for field in headers.fields {
                writer.write("\r\n")
                writer.writeClean(field.name)
                writer.write(": ")
                writer.writeClean(field.value)
            }
            switch framing {
            case .none: break
            case .length(let length):
                writer.write("\r\nContent-Length: ")
                writer.write(decimal: length)
            case .chunked: writer.write("\r\nTransfer-Encoding: chunked")
            }
            switch persistence {
            case .implicit: break
            case .keepAlive: writer.write("\r\nConnection: keep-alive")
            case .close: writer.write("\r\nConnection: close")
            }
            writer.write("\r\n\r\n")
            unsafe bytes.append(contentsOf: writer.written)
        }
    }

    /// Appends the line that comes before a chunk of so many bytes.
    package static func appendChunkLine(to bytes: inout [UInt8], count: Int) {
        bytes.append(hexadecimal: count)
        bytes.append("\r\n")
    }
}
