/// What is needed of an answer's head to find its end.
struct AnswerHead {
    let status: Int
    let byteCount: Int
    let bodyByteCount: Int

    private static let lengthName = Array("content-length:".utf8)

    /// Reads a head; `nil` as long as it is not whole.
    init?(_ bytes: [UInt8]) {
        var lineStart = 0
        var length = 0
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == 13, bytes[index + 1] == 10 else {
                index += 1
                continue
            }
            if index == lineStart {
                status = bytes.count > 12 ? Self.number(bytes[9..<12]) : 0
                byteCount = index + 2
                bodyByteCount = length
                return
            }
            let line = bytes[lineStart..<index]
            if line.count > Self.lengthName.count,
                zip(line, Self.lengthName).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
            {
                length = Self.number(line.dropFirst(Self.lengthName.count))
            }
            index += 2
            lineStart = index
        }
        return nil
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int {
        text.reduce(0) { (48...57).contains($1) ? $0 * 10 + Int($1 - 48) : $0 }
    }
}
