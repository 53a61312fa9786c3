/// The characters that an id may not have: U+0000–U+001F, U+007F and U+0080–U+009F.
enum ControlCharacter {
    /// Whether bytes, valid UTF-8, contain one.
    static func isContained(in bytes: ArraySlice<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            // C1 is 0xC2 0x80 to 0xC2 0x9F.
            if byte < 0x20 || byte == 0x7F || previous == 0xC2 && byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }
}
