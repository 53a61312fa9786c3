import Foundation
import FuzzSupport
import JSONText

/// What the scanner accepts Foundation accepts too and understands alike; text is kept; a merge patch gives valid JSON.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe FuzzInput.bytes(start, count)
    var scanner = JSONScanner(bytes)
    var compact: [UInt8] = []
    do throws(JSONSyntaxError) {
        try scanner.copyValue(to: &compact)
        try scanner.finish()
    } catch {
        FuzzInput.require((0...bytes.count).contains(error.offset), "an error beyond the text")
        return 0
    }
    FuzzInput.require(compact == withoutSpace(bytes), "a copy is not the text without its spaces")
    checkMeaning(bytes)
    if compact.first == UInt8(ascii: "{") { checkMembers(bytes, compact) }
    return 0
}

/// The text without what is white space between tokens.
private func withoutSpace(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in bytes {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
        } else if byte == UInt8(ascii: "\"") {
            isInString = true
        } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            continue
        }
        output.append(byte)
    }
    return output
}

// MARK: Foundation as the oracle

/// A value as the scanner reads it.
private enum Value {
    case object([(name: String, value: Value)])
    case array([Value])
    case string(String)
    case number(String)
    case bool(Bool)
    case null
}

private func checkMeaning(_ bytes: [UInt8]) {
    var scanner = JSONScanner(bytes)
    do throws(JSONSyntaxError) {
        var rewritten: [UInt8] = []
        let value = try read(&scanner, &rewritten)
        try scanner.finish()
        let other = try? JSONSerialization.jsonObject(with: Data(rewritten), options: .fragmentsAllowed)
        FuzzInput.require(other != nil, "Foundation refuses it")
        // Foundation drops a byte order mark that stands behind an escape in a string.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let hasMark = rewritten.indices.contains { rewritten[$0...].starts(with: mark) }
        if let other, !hasMark { compare(value, other) }
    } catch {
        fatalError("accepted as a whole, but not value by value: \(error)")
    }
}

/// Reads a value, and writes it again for Foundation: with 0 for each number that it cannot hold.
private func read(_ scanner: inout JSONScanner, _ output: inout [UInt8]) throws(JSONSyntaxError) -> Value {
    switch try scanner.peek() {
    case .object:
        var members: [(name: String, value: Value)] = []
        try scanner.beginObject()
        output.append(UInt8(ascii: "{"))
        while let name = try scanner.nextMember() {
            if !members.isEmpty { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: name.text)
            output.append(UInt8(ascii: ":"))
            members.append((name.string, try read(&scanner, &output)))
        }
        output.append(UInt8(ascii: "}"))
        return .object(members)
    case .array:
        var elements: [Value] = []
        try scanner.beginArray()
        output.append(UInt8(ascii: "["))
        while try scanner.nextElement() {
            if !elements.isEmpty { output.append(UInt8(ascii: ",")) }
            elements.append(try read(&scanner, &output))
        }
        output.append(UInt8(ascii: "]"))
        return .array(elements)
    case .string:
        let string = try scanner.string()
        FuzzInput.require(String(validating: string.utf8, as: UTF8.self) != nil, "a string that is no UTF-8")
        output.append(contentsOf: string.text)
        return .string(string.string)
    case .number:
        let text = String(decoding: try scanner.number(), as: UTF8.self)
        guard let number = Double(text), number.isFinite, number == 0 || number.magnitude > 1e-300, text.utf8.count < 30
        else {
            output.append(UInt8(ascii: "0"))
            return .number("0")
        }
        output.append(contentsOf: text.utf8)
        return .number(text)
    case .bool:
        let bool = try scanner.bool()
        output.append(contentsOf: "\(bool)".utf8)
        return .bool(bool)
    case .null:
        try scanner.null()
        output.append(contentsOf: "null".utf8)
        return .null
    }
}

private func compare(_ value: Value, _ other: Any) {
    switch value {
    case .object(let members):
        guard let dictionary = other as? [String: Any] else { fatalError("an object to one only") }
        // Swift's strings are equal when they are canonically equivalent; the scanner's names when their bytes are.
        guard Set(members.map(\.name)).count == members.count else { return }
        FuzzInput.require(dictionary.count == members.count, "another number of members")
        for member in members {
            guard let found = dictionary[member.name] else { fatalError("a member to one only") }
            compare(member.value, found)
        }
    case .array(let elements):
        guard let array = other as? [Any], array.count == elements.count else { fatalError("an array to one only") }
        for (element, found) in zip(elements, array) { compare(element, found) }
    case .string(let string):
        guard let found = other as? String, found.utf8.elementsEqual(string.utf8) else {
            fatalError("a string to one only")
        }
    case .number(let text):
        guard let found = other as? NSNumber, let number = Double(text) else { fatalError("a number to one only") }
        let difference = (found.doubleValue - number).magnitude
        FuzzInput.require(difference <= number.magnitude * 1e-12, "another number: \(text)")
    case .bool(let bool): FuzzInput.require((other as? Bool) == bool, "a bool to one only")
    case .null: FuzzInput.require(other is NSNull, "null to one only")
    }
}

// MARK: Members and merge patches

private func checkMembers(_ bytes: [UInt8], _ compact: [UInt8]) {
    do throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes)
        let members = try scanner.members()
        FuzzInput.require([UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")] == compact, "members lose text")
        var rebuilt = JSONMembers.empty
        for member in members { rebuilt.append(nameText: member.name.text, value: member.value) }
        FuzzInput.require(rebuilt == members, "members are not what is walked")

        scanner = JSONScanner(bytes)
        try scanner.beginObject()
        FuzzInput.require(try scanner.remainingMembers().elementsEqual(members.bytes), "the rest is not all members")

        scanner = JSONScanner(bytes)
        let patch = try JSONMergePatch(from: &scanner)
        for target in [JSONMembers.empty, members, JSONMembers(trusted: Array(#""a":{"b":1},"c":2"#.utf8))] {
            let once = patch.applied(to: target)
            try JSONScanner.validate([UInt8(ascii: "{")] + once.bytes + [UInt8(ascii: "}")])
            FuzzInput.require(patch.applied(to: once) == once, "a merge patch is not its own end")
        }
        var text: [UInt8] = []
        patch.append(to: &text)
        scanner = JSONScanner(text)
        FuzzInput.require(try JSONMergePatch(from: &scanner) == patch, "a merge patch is not read as it is written")
    } catch {
        fatalError("what comes of valid text is not valid: \(error)")
    }
}
