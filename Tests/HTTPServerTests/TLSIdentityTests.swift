import EventLoop
import Foundation
import Testing

@Suite struct TLSIdentityTests {
    private func message(_ made: TestCertificate, key: String? = nil) -> String {
        do throws(EventLoopError) {
            _ = try TLSIdentity(certificate: made.certificate, key: key ?? made.key)
            return ""
        } catch {
            #expect(error.code == .badCertificate)
            return error.description
        }
    }

    @Test(arguments: [["rsa:2048"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["ed25519"]])
    func takesTheUsualKinds(_ kind: [String]) throws {
        let made = try TestCertificate()
        try made.renew(kind: kind)
        #expect(message(made) == "")
        #expect(try !TLSIdentity(certificate: made.certificate, key: made.key).hasExpired)
    }

    @Test func aKeyMustBeTheCertificates() throws {
        let made = try TestCertificate()
        let other = try TestCertificate()
        #expect(message(made, key: other.key).contains("\(other.key) is not the key of the certificate in"))
        try other.renew(kind: ["rsa:2048"])
        #expect(message(made, key: other.key).contains("\(other.key) is not the key of the certificate in"))
        try made.renew(kind: ["rsa:2048"])
        #expect(message(made, key: other.key).contains("\(other.key) is not the key of the certificate in"))
    }

    @Test(arguments: [0o604, 0o602, 0o666]) func aKeyIsNotForEveryone(_ mode: Int) throws {
        let made = try TestCertificate()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: made.key)
        #expect(message(made).contains("chmod o="))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: made.key)
        #expect(message(made) == "")
    }

    @Test func whatIsWrongIsNamed() throws {
        let made = try TestCertificate()
        let missing = made.key + "-missing"
        #expect(message(made, key: missing) == "\(missing) cannot be read: No such file or directory")
        #expect(message(made, key: made.folder.path).contains("is no file"))
        #expect(message(made, key: made.certificate).contains("every user"))
        let locked = made.key + "-locked"
        try TestCertificate.run(["pkcs8", "-topk8", "-in", made.key, "-out", locked, "-passout", "pass:secret"])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: locked)
        #expect(
            message(made, key: locked).contains("\(locked) holds no private key in PEM form that needs no passphrase"))
        try "".write(toFile: made.certificate, atomically: false, encoding: .utf8)
        #expect(message(made).contains("\(made.certificate) holds no certificate in PEM form"))
    }
}
