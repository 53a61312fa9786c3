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
        date: [UInt8]
    ) {
        if status == 200 {
            bytes.append("HTTP/1.1 200 OK\r\nDate: ")
        } else {
            bytes.append("HTTP/1.1 ")
            bytes.append(decimal: status)
            bytes.append(" ")
            bytes.append(text: StatusCode.reason(status))
            bytes.append("\r\nDate: ")
        }
        bytes.append(contentsOf: date)
        for field in headers.fields {
            bytes.append("\r\n")
            append(field.name, to: &bytes)
            bytes.append(": ")
            append(field.value, to: &bytes)
        }
        switch framing {
        case .none: break
        case .length(let length):
            bytes.append("\r\nContent-Length: ")
            bytes.append(decimal: length)
        case .chunked: bytes.append("\r\nTransfer-Encoding: chunked")
        }
        switch persistence {
        case .implicit: break
        case .keepAlive: bytes.append("\r\nConnection: keep-alive")
        case .close: bytes.append("\r\nConnection: close")
        }
        bytes.append("\r\n\r\n")
    }

    /// Appends the line that comes before a chunk of so many bytes.
    package static func appendChunkLine(to bytes: inout [UInt8], count: Int) {
        bytes.append(hexadecimal: count)
        bytes.append("\r\n")
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let span = text.utf8Span.span
        let start = bytes.count
        let clean = ByteClass.firstControl(in: span, 0..<span.count) == span.count
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        guard !clean else { return }
        for index in start..<bytes.count where bytes[index] < 0x20 || bytes[index] == 0x7F {
            bytes[index] = ByteClass.space
        }
    }
}
