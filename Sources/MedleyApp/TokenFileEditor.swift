import EventLoop
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
    func read() throws(Failure) -> TokenFile { try parse(try contents()) }

    /// The file's bytes.
    func contents() throws(Failure) -> [UInt8] { try contentsWithStamp().bytes }

    /// The file's bytes, and what the system knew of the file before they were read.
    func contentsWithStamp() throws(Failure) -> (bytes: [UInt8], stamp: RegularFile.Stamp) {
        do throws(RegularFile.Failure) {
            let file = try RegularFile(reading: path)
            let stamp = try file.stamp()
            return (try file.contents(most: Self.readLimit), stamp)
        } catch { throw Failure(message: "\(path) cannot be read: \(error)") }
    }

    /// Parses bytes of the file; a mistake is told with the file's name and the line.
    func parse(_ bytes: [UInt8]) throws(Failure) -> TokenFile {
        do throws(TokenFile.Mistake) { return try TokenFile(parsing: bytes) } catch {
            throw Failure(
                message: error.line > 0 ? "\(path):\(error.line): \(error.message)" : "\(path): \(error.message)")
        }
    }

    /// Refuses a file that anybody on the machine could add a token to, or of which that cannot be told.
    func checkPermissions() throws(Failure) {
        let stamp: RegularFile.Stamp
        do throws(RegularFile.Failure) { stamp = try RegularFile.stamp(of: path) } catch {
            throw Failure(message: "\(path) cannot be read: \(error)")
        }
        guard stamp.mode & 0o002 == 0 else {
            throw Failure(message: "\(path) can be written by everyone on this machine; chmod o-w it")
        }
    }

    /// Adds a token to the file, which is made, for its owner only, if it is not there. Returns the token's text, which
    /// is kept nowhere.
    func add(_ grant: Grant) throws(Failure) -> String { try add(grant, to: try locked(creating: true)) }

    /// Makes the file with a token, and returns its text; `nil` if the file is there.
    func addFirst(_ grant: Grant) throws(Failure) -> String? {
        // One that is there may be for reading only.
        guard (try? RegularFile.stamp(of: path)) == nil else { return nil }
        let file = try locked(creating: true)
        // Another may have made it meanwhile, or have been first to lock it.
        guard file.isNew, try contents(of: file).isEmpty else { return nil }
        return try add(grant, to: file)
    }

    private func add(_ grant: Grant, to file: LockedFile) throws(Failure) -> String {
        let (text, stored) = StoredToken.issue(grant)
        do throws(Failure) {
            try change(file) { bytes throws(Failure) in
                let known = try parse(bytes).tokens
                guard !known.contains(where: { $0.grant.name == grant.name }) else {
                    throw Failure(message: "there is a token of the name \(grant.name) already; revoke it first")
                }
                guard known.count < TokenFile.mostTokens else { throw Failure(message: "\(path) is full") }
                let beginning = bytes.isEmpty ? Array(TokenFile.heading.utf8) : bytes
                let end: [UInt8] = beginning.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
                return beginning + end + Array(TokenFile.line(stored).utf8)
            }
        } catch {
            // An empty file would say that somebody has withdrawn all tokens.
            if file.isNew, (try? contents(of: file).isEmpty) == true { file.remove() }
            throw error
        }
        return text
    }

    /// Takes the token of a name out of the file.
    func revoke(_ name: String) throws(Failure) {
        try change(try locked(creating: false)) { bytes throws(Failure) in
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

    private func locked(creating: Bool) throws(Failure) -> LockedFile {
        do throws(RegularFile.Failure) { return try LockedFile(path, creating: creating) } catch {
            throw Failure(message: "\(path) cannot be changed: \(error)")
        }
    }

    private func contents(of file: LockedFile) throws(Failure) -> [UInt8] {
        do throws(RegularFile.Failure) { return try file.contents(most: Self.readLimit) } catch {
            throw Failure(message: "\(path) cannot be read: \(error)")
        }
    }

    /// Replaces what the file says; after a failure it says what it said.
    private func change(_ file: LockedFile, _ edit: ([UInt8]) throws(Failure) -> [UInt8]) throws(Failure) {
        let old = try contents(of: file)
        let new = try edit(old)
        do throws(RegularFile.Failure) { try file.replace(old, with: new) } catch {
            throw Failure(message: "\(path) cannot be changed: \(error)")
        }
    }
}
