/// A head that is being read, line by line.
struct RequestDraft: Sendable {
    private var method = ""
    private var path = ""
    private var query: String?
    private var isHTTP10 = false
    private var headers = HeaderFields()
    private var hasHost = false
    /// The authority of a target in absolute form.
    private var authority: String?
    private var length: Int?
    private var isChunked = false
    private var expectsContinue = false
    private var closes = false
    private var keepsAlive = false
    private var hasRequestID = false

    init() {}

    // MARK: The request line (RFC 9112, 3)

    mutating func readRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        guard index > line.lowerBound, index < line.upperBound, bytes[index] == ByteClass.space else {
            throw Self.bad("the request line does not begin with a method and a space")
        }
        let isGet =
            index - line.lowerBound == 3 && bytes[line.lowerBound] == UInt8(ascii: "G")
            && bytes[line.lowerBound + 1] == UInt8(ascii: "E") && bytes[line.lowerBound + 2] == UInt8(ascii: "T")
        method = isGet ? "GET" : ByteClass.text(bytes, line.lowerBound..<index)
        let start = index + 1
        index = start
        var question = -1
        while index < line.upperBound, bytes[index] != ByteClass.space {
            let byte = bytes[index]
            if byte == UInt8(ascii: "?"), question < 0 { question = index }
            guard byte < 0x7F, byte != UInt8(ascii: "#") else {
                throw Self.bad("a character in the target that must be percent-encoded")
            }
            index += 1
        }
        let target = start..<index
        guard !target.isEmpty, index < line.upperBound else {
            throw Self.bad("the request line is not a method, a target and a version, one space between")
        }
        try readVersion(bytes, index + 1..<line.upperBound)
        if bytes[start] == UInt8(ascii: "/") {
            setPath(bytes, target, question: question)
        } else {
            try readOtherTarget(bytes, target, question: question)
        }
    }

    private mutating func readVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == UInt8(ascii: "H"), bytes[start + 1] == UInt8(ascii: "T"),
            bytes[start + 2] == UInt8(ascii: "T"), bytes[start + 3] == UInt8(ascii: "P"),
            bytes[start + 4] == UInt8(ascii: "/"), ByteClass.isDigit(bytes[start + 5]),
            bytes[start + 6] == UInt8(ascii: "."), ByteClass.isDigit(bytes[start + 7])
        else { throw Self.bad("the request line does not end with HTTP/1.1") }
        let minor = bytes[start + 7]
        guard bytes[start + 5] == UInt8(ascii: "1"), minor <= UInt8(ascii: "1") else {
            throw Refusal(status: 505, detail: "the version is neither HTTP/1.1 nor HTTP/1.0")
        }
        isHTTP10 = minor == UInt8(ascii: "0")
    }

    private mutating func setPath(_ bytes: Span<UInt8>, _ target: Range<Int>, question: Int) {
        guard question >= 0 else {
            path = ByteClass.text(bytes, target)
            return
        }
        path = ByteClass.text(bytes, target.lowerBound..<question)
        query = ByteClass.text(bytes, question + 1..<target.upperBound)
    }

    /// The asterisk form, the absolute form (whose authority stands in for Host), and the authority form, for proxies.
    private mutating func readOtherTarget(
        _ bytes: Span<UInt8>, _ target: Range<Int>, question: Int
    ) throws(Refusal) {
        if target.count == 1, bytes[target.lowerBound] == UInt8(ascii: "*") {
            guard method == "OPTIONS" else { throw Self.bad("the target * is for OPTIONS only") }
            path = "*"
            return
        }
        guard method != "CONNECT" else { throw Refusal(status: 501, detail: "this server is no proxy") }
        let start = target.lowerBound
        let skipped: Int
        if target.count > 7, ByteClass.matches(bytes, start..<start + 7, "http://") {
            skipped = 7
        } else if target.count > 8, ByteClass.matches(bytes, start..<start + 8, "https://") {
            skipped = 8
        } else {
            throw Self.bad("the target is neither a path nor an http URL")
        }
        let pathEnd = question >= 0 ? question : target.upperBound
        var slash = start + skipped
        while slash < pathEnd, bytes[slash] != UInt8(ascii: "/") { slash += 1 }
        guard HostField.isValid(bytes, start + skipped..<slash) else { throw Self.bad("the target's host is invalid") }
        authority = ByteClass.text(bytes, start + skipped..<slash)
        setPath(bytes, slash..<target.upperBound, question: question)
        if slash == pathEnd { path = method == "OPTIONS" && question < 0 ? "*" : "/" }
    }

    // MARK: Fields (RFC 9112, 5)

    /// Splits a line into name and value, which is trimmed.
    static func splitField(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) throws(Refusal) -> (name: Range<Int>, value: Range<Int>) {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        guard index < line.upperBound, bytes[index] == UInt8(ascii: ":"), index > line.lowerBound else {
            if ByteClass.isBlank(bytes[line.lowerBound]) {
                throw bad("a field that goes on in a second line, or white space before the first")
            }
            if index < line.upperBound, ByteClass.isBlank(bytes[index]) {
                throw bad("white space before a field's colon")
            }
            throw bad("a field without a name or a colon")
        }
        return (line.lowerBound..<index, ByteClass.trimmed(bytes, index + 1..<line.upperBound))
    }

    mutating func readField(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) {
        let (name, value) = try Self.splitField(bytes, line)
        switch name.count {
        case 4 where ByteClass.matches(bytes, name, "host"):
            guard !hasHost else { throw Self.bad("more than one Host") }
            guard HostField.isValid(bytes, value) else { throw Self.bad("an invalid Host") }
            hasHost = true
        case 6 where ByteClass.matches(bytes, name, "expect"):
            guard ByteClass.matches(bytes, value, "100-continue") else {
                throw Refusal(status: 417, detail: "an expectation other than 100-continue")
            }
            expectsContinue = true
        case 10 where ByteClass.matches(bytes, name, "connection"):
            readConnection(bytes, value)
        case 12 where ByteClass.matches(bytes, name, "x-request-id"): hasRequestID = true
        case 14 where ByteClass.matches(bytes, name, "content-length"):
            guard length == nil else { throw Self.bad("more than one Content-Length") }
            length = try Self.readLength(bytes, value)
        case 17 where ByteClass.matches(bytes, name, "transfer-encoding"):
            guard !isChunked else { throw Self.bad("more than one Transfer-Encoding") }
            try Self.checkCoding(bytes, value)
            isChunked = true
        default:
            break
        }
        if headers.fields.isEmpty { headers.reserveCapacity(8) }
        headers.add(ByteClass.text(bytes, name), ByteClass.text(bytes, value))
    }

    private mutating func readConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var start = value.lowerBound
        while start <= value.upperBound {
            var end = start
            while end < value.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
            let option = ByteClass.trimmed(bytes, start..<end)
            if ByteClass.matches(bytes, option, "close") { closes = true }
            if ByteClass.matches(bytes, option, "keep-alive") { keepsAlive = true }
            start = end + 1
        }
    }

    private static func readLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(Refusal) -> Int {
        guard !value.isEmpty else { throw bad("an empty Content-Length") }
        var length = 0
        var overflows = false
        for index in value {
            guard ByteClass.isDigit(bytes[index]) else { throw bad("a Content-Length that is not a number") }
            let (product, over) = length.multipliedReportingOverflow(by: 10)
            let (sum, beyond) = product.addingReportingOverflow(Int(bytes[index] - UInt8(ascii: "0")))
            overflows = overflows || over || beyond
            length = sum
        }
        guard !overflows else { throw Refusal(status: 413, detail: "a Content-Length beyond every limit") }
        return length
    }

    /// Only `chunked` is known: another coding is 501, a list that says chunked twice or not last is no framing at all.
    private static func checkCoding(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(Refusal) {
        if ByteClass.matches(bytes, value, "chunked") { return }
        guard !value.isEmpty else { throw bad("an empty Transfer-Encoding") }
        var start = value.lowerBound
        while start <= value.upperBound {
            var end = start
            while end < value.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
            let coding = ByteClass.trimmed(bytes, start..<end)
            guard !coding.isEmpty, coding.allSatisfy({ ByteClass.isToken(bytes[$0]) }) else {
                throw bad("a malformed Transfer-Encoding")
            }
            if ByteClass.matches(bytes, coding, "chunked"), end < value.upperBound {
                throw bad("a Transfer-Encoding with chunked before its end")
            }
            start = end + 1
        }
        throw Refusal(status: 501, detail: "a transfer coding other than chunked")
    }

    // MARK: The whole head

    mutating func finish(peer: String) throws(Refusal) -> RequestHead {
        guard hasHost || isHTTP10 else { throw Self.bad("no Host") }
        // Whatever Host says (RFC 9112, 3.2.2); so nobody has to ask for both.
        if let authority { headers.set("Host", authority) }
        let framing: BodyFraming
        if isChunked {
            guard length == nil else { throw Self.bad("both Content-Length and Transfer-Encoding") }
            guard !isHTTP10 else { throw Self.bad("a Transfer-Encoding in HTTP/1.0") }
            framing = .chunked
        } else if let length {
            framing = .length(length)
        } else {
            framing = .none
        }
        return RequestHead(
            method: method, path: path, query: query, isHTTP10: isHTTP10, headers: headers, framing: framing,
            expectsContinue: expectsContinue && !isHTTP10 && framing != .none && framing != .length(0), peer: peer,
            keepsAlive: isHTTP10 ? keepsAlive && !closes : !closes, requestID: hasRequestID ? requestID : nil)
    }

    /// What the client calls the request; `nil` if it says two things, or what nobody should repeat.
    private var requestID: RequestID? {
        let values = headers.values("X-Request-Id")
        return values.count == 1 ? RequestID(values[0]) : nil
    }

    private static func bad(_ detail: String) -> Refusal { Refusal(status: 400, detail: detail) }
}
