import Foundation
import MedleyService

/// Changes a file of tokens for the operator, while a server may be reading it.
struct TokenFileEditor {
    /// Why a file was left as it is, in a sentence.
    struct Failure: Error {
        let message: String
    }

    /// The most bytes that are read of a file: one more than it may have, so that more is noticed.
    static let readLimit = TokenFile.mostBytes + 1

    let path: String

    /// What the file says.
    func read() throws(Failure) -> TokenFile {
        do { return try parse(try contents()) } catch let error as Failure { throw error } catch {
            throw Failure(message: "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The file's bytes.
    func contents() throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        return Array(try handle.read(upToCount: Self.readLimit) ?? Data())
    }

    /// Parses bytes of the file; a mistake is told with the file's name and the line.
    func parse(_ bytes: [UInt8]) throws(Failure) -> TokenFile {
        do throws(TokenFile.Mistake) { return try TokenFile(parsing: bytes) } catch {
            throw Failure(
                message: error.line > 0 ? "\(path):\(error.line): \(error.message)" : "\(path): \(error.message)")
        }
    }

    /// Refuses a file that anybody on the machine could add a token to.
    func checkPermissions() throws(Failure) {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let mode = (try? FileManager.default.attributesOfItem(atPath: resolved))?[.posixPermissions] as? Int
        if let mode, mode & 0o002 != 0 {
            throw Failure(message: "\(path) can be written by everyone on this machine; chmod o-w it")
        }
    }

    /// Adds a token to the file, which is made, for its owner only, if it is not there. Returns the token's text, which
    /// is kept nowhere.
    func add(_ grant: Grant) throws(Failure) -> String {
        if !FileManager.default.fileExists(atPath: path) {
            let isMade = FileManager.default.createFile(
                atPath: path, contents: Data(TokenFile.heading.utf8), attributes: [.posixPermissions: 0o600])
            guard isMade else { throw Failure(message: "\(path) cannot be made") }
        }
        let (text, stored) = StoredToken.issue(grant)
        try change { bytes throws(Failure) in
            let known = try parse(bytes).tokens
            guard !known.contains(where: { $0.grant.name == grant.name }) else {
                throw Failure(message: "there is a token of the name \(grant.name) already; revoke it first")
            }
            guard known.count < TokenFile.mostTokens else { throw Failure(message: "\(path) is full") }
            let separator: [UInt8] = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
            return bytes + separator + Array(TokenFile.line(stored).utf8)
        }
        return text
    }

    /// Takes the token of a name out of the file.
    func revoke(_ name: String) throws(Failure) {
        try change { bytes throws(Failure) in
            guard try parse(bytes).tokens.contains(where: { $0.grant.name == name }) else {
                throw Failure(message: "there is no token of the name \(name)")
            }
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let kept = lines.filter { line in
                let first = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first
                return first.map { !$0.elementsEqual(name.utf8) } ?? true
            }
            return Array(kept.joined(separator: [UInt8(ascii: "\n")]))
        }
    }

    /// Rewrites the file under its lock, in its place: so its owner and its mode stay, and one that is mounted by itself
    /// can be changed too. A server takes what it reads only when it has stayed the same for a while.
    private func change(_ edit: ([UInt8]) throws(Failure) -> [UInt8]) throws(Failure) {
        do {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            guard flock(handle.fileDescriptor, LOCK_EX) == 0 else { throw Failure(message: "\(path) cannot be locked") }
            let old = Array(try handle.read(upToCount: Self.readLimit) ?? Data())
            let new = try edit(old)
            // What stays the same is not written again, so that adding only ever appends.
            let same = zip(old, new).prefix { $0 == $1 }.count
            try handle.seek(toOffset: UInt64(same))
            try handle.write(contentsOf: Data(new[same...]))
            try handle.truncate(atOffset: UInt64(new.count))
            try handle.synchronize()
        } catch let error as Failure { throw error } catch {
            throw Failure(message: "\(path) cannot be changed: \(error.localizedDescription)")
        }
    }
}
