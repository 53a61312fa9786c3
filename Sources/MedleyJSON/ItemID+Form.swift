public import MedleyCore

extension ItemID {
    /// Makes an id from valid UTF-8 that is of an id's form, else `nil`: 1–256 bytes, no control characters
    /// (U+0000–U+001F, U+007F, U+0080–U+009F).
    public init?(validating utf8: ArraySlice<UInt8>) {
        guard (1...ContentLimits.idByteCount).contains(utf8.count), !ControlCharacter.isContained(in: utf8) else {
            return nil
        }
        self.init(utf8: Array(utf8))
    }

    /// A new random id: a UUID of version 4 (RFC 9562).
    public static func random() -> ItemID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A new random id from a generator: a UUID of version 4 (RFC 9562).
    public static func random(using generator: inout some RandomNumberGenerator) -> ItemID {
        let high = UInt64.random(in: .min ... .max, using: &generator) & ~0xF000 | 0x4000
        let low = UInt64.random(in: .min ... .max, using: &generator) & ~(0b11 << 62) | 0b10 << 62
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (position, word) in [high, low].enumerated() {
            for nibble in 0..<16 {
                let index = position * 16 + nibble
                if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * nibble)) & 0xF
                text.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return ItemID(utf8: text)
    }
}

extension SectionID {
    /// Makes an id from valid UTF-8 that is of an id's form, else `nil`: as an item's.
    public init?(validating utf8: ArraySlice<UInt8>) {
        guard ItemID(validating: utf8) != nil else { return nil }
        self.init(utf8: Array(utf8))
    }
}
