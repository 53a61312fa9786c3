extension JSONScanner {
    /// The error for a byte that cannot stand at `offset`.
    func unexpected(_ byte: UInt8) -> JSONSyntaxError {
        if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return JSONSyntaxError(.byteOrderMark, at: 0, message: "a byte order mark stands before the JSON value")
        }
        let isPrintable = (0x21...0x7E).contains(byte)
        let name =
            isPrintable ? "\"\(Character(UnicodeScalar(byte)))\"" : "0x" + String(byte, radix: 16, uppercase: true)
        return JSONSyntaxError(.unexpectedByte, at: offset, message: "\(name) cannot stand here")
    }

    /// The error for a text that ends too early.
    func unexpectedEnd(at end: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(.unexpectedEnd, at: end ?? offset, message: "the JSON text ends too early")
    }

    /// The error for an escape that JSON does not have, by its backslash.
    func invalidEscape(at start: Int) -> JSONSyntaxError {
        JSONSyntaxError(.invalidEscape, at: start, message: "JSON has no such escape")
    }

    /// The error for bytes at `offset` that are no UTF-8.
    func invalidUTF8() -> JSONSyntaxError {
        JSONSyntaxError(.invalidUTF8, at: offset, message: "bytes that are no UTF-8")
    }

    /// The error for a number that is wrong at `offset`.
    func invalidNumber(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(.invalidNumber, at: offset, message: message)
    }
}
