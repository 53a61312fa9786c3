import Digest
import Testing

@Suite struct SHA256Tests {
    /// From FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestsAreThoseOfTheStandard(text: String, hexadecimal: String) {
        let digest = SHA256.digest(Array(text.utf8))
        #expect(digest.count == SHA256.byteCount)
        let digits = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(digits == hexadecimal)
    }

    @Test func digestsAreEqualOnlyInWhole() {
        let digest = SHA256.digest([1, 2, 3])
        #expect(SHA256.areEqual(digest, digest))
        #expect(!SHA256.areEqual(digest, Array(digest.dropLast())))
        for index in digest.indices {
            var other = digest
            other[index] ^= 1
            #expect(!SHA256.areEqual(digest, other), "byte \(index)")
        }
    }
}
