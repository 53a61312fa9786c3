/// The encoding of old playlists: Latin-1 with printable characters where that has controls.
enum Windows1252 {
    /// The characters of 0x80–0x9F; the five bytes that stand for nothing stay the controls of Latin-1.
    private static let upper: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// The bytes as UTF-8; any bytes have a meaning. O(bytes).
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            let value = (0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
            switch value {
            case ..<0x80: text.append(byte)
            case ..<0x800: text += [0xC0 | UInt8(value >> 6), 0x80 | UInt8(value & 0x3F)]
            default:
                text += [0xE0 | UInt8(value >> 12), 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F)]
            }
        }
        return text
    }
}
