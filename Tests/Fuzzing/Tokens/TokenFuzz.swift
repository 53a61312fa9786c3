import FuzzSupport
import MedleyService

/// A file is refused as a whole, or its tokens are what they are when they are written again, each told by its own line.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzTokens(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe FuzzInput.bytes(start, count)
    let file: TokenFile
    do {
        file = try TokenFile(parsing: bytes)
    } catch {
        FuzzInput.require((0...bytes.count + 1).contains(error.line), "a line that is not there")
        return 0
    }
    let names = file.tokens.map(\.grant.name)
    FuzzInput.require(Set(names.map { Array($0.utf8) }).count == names.count, "a name stands twice")
    FuzzInput.require(Set(file.tokens.map(\.id)).count == names.count, "a token stands twice")
    for token in file.tokens {
        FuzzInput.require(TokenFile.isName(token.grant.name), "a name that is none")
        FuzzInput.require(!token.grant.collections.isEmpty, "a token for no collection")
    }
    let written = file.tokens.map { TokenFile.line($0) }
    let again = try? TokenFile(parsing: Array((TokenFile.heading + written.joined()).utf8))
    FuzzInput.require(again?.tokens == file.tokens, "a file is not read as it is written")
    // No line bears on another's token.
    var alone: [StoredToken] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let one = try? TokenFile(parsing: Array(line)) else { fatalError("a line that is refused alone") }
        alone += one.tokens
    }
    FuzzInput.require(alone == file.tokens, "lines give other tokens alone")
    return 0
}
