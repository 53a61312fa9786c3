import Testing

@testable import MedleyFormats

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 10000),
            "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"
        ),
    ])
    func givesTheKnownDigests(_ text: String, digest: String) {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        #expect(hash.finalized().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
    }

    @Test func dependsOnTheBytesAlone() {
        for length in 0..<130 {
            let bytes = (0..<length).map { UInt8($0) }
            var whole = SHA256()
            whole.update(bytes)
            var parts = SHA256()
            parts.update(bytes.prefix(length / 3))
            parts.update(bytes.dropFirst(length / 3))
            #expect(whole.finalized() == parts.finalized())
        }
    }
}
