/// Makes request ids: 80 random bits each as sixteen of `[0-9a-v]`. The system is asked once, for the seed.
package struct RequestIDs: Sendable {
    private var state: UInt64

    /// Begins with a seed; by default another each time.
    package init(seed: UInt64 = .random(in: .min ... .max)) { state = seed }

    /// The next id; O(1), without a system call or an allocation.
    package mutating func next() -> RequestID { RequestID(Self.characters(random()), Self.characters(random())) }

    /// SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The upper 40 bits as eight characters of base 32 (RFC 4648, 7, in small letters), all at once.
    private static func characters(_ random: UInt64) -> UInt64 {
        var digits = random >> 24
        // Forty bits are parted in two, each half again, until every byte has five.
        digits = digits & 0xF_FFFF | (digits >> 20) << 32
        digits = digits & 0x0000_03FF_0000_03FF | (digits & 0x000F_FC00_000F_FC00) << 6
        digits = digits & 0x001F_001F_001F_001F | (digits & 0x03E0_03E0_03E0_03E0) << 3
        // Adding 118 lifts those from 10 on to 128: they are letters, which lie 39 behind the digits.
        let letters = (digits &+ 0x7676_7676_7676_7676) >> 7 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
