/// What parts the cells of a table: found in its header line, before it is read.
enum TableDialect {
    /// The most bytes of a header that are looked at.
    private static let limit = 1 << 16

    /// The separator of a table: the one of comma, semicolon and tab that the header has most of outside of quotes, the
    /// comma if two have as many. Nothing is taken.
    static func separator(of bytes: inout ByteReader) throws(FormatError) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        var isBlank = true
        var length = 1 << 12
        scan: while true {
            let head = try bytes.lookahead(length).prefix(length)
            counts = [:]
            isQuoted = false
            isBlank = true
            for byte in head {
                switch byte {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                    if !isQuoted, !isBlank { break scan }
                case UInt8(ascii: ","), UInt8(ascii: ";"), 0x09:
                    if !isQuoted { counts[byte, default: 0] += 1 }
                default: break
                }
                if byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { isBlank = false }
            }
            guard head.count == length, length < limit else { break }
            length *= 4
        }
        let candidates: [UInt8] = [UInt8(ascii: ","), 0x09, UInt8(ascii: ";")]
        var best = candidates[0]
        for candidate in candidates where counts[candidate, default: 0] > counts[best, default: 0] { best = candidate }
        return best
    }
}
