import JSONText
import MedleyCore

/// Reads one body: a scanner, where in the document it is, and the first problem of content so far.
///
/// Faults of JSON and of shape are thrown where they are met. Problems of an item's or section's content are noted and
/// thrown at the end, since the protocol checks the shape of the whole first.
struct DocumentReader {
    /// How deep an item, a section or a collection's members may nest by themselves, so that a snapshot and a change
    /// that carry them stay within a document's 64.
    static let ownDepth = 56

    /// How strictly content is judged.
    enum Rules {
        /// It comes from a client: the protocol's rules hold.
        case request
        /// It was accepted before: nothing that can be held is refused.
        case kept

        /// How many objects and arrays may stand inside each other. What was kept may be as deep as in a checkpoint.
        var maximumDepth: Int { self == .request ? 64 : CheckpointReader.maximumDepth }
    }

    private var scanner: JSONScanner
    let rules: Rules
    private(set) var noted: DecodingProblem?
    private var path: [ChangeError.Step] = []
    /// Holds a model while it is read, so that each is allocated once at its size.
    var scratch: [UInt8] = []
    let makeID: @Sendable () -> ItemID

    /// Reads a whole body by `body`.
    static func read<Result>(
        _ bytes: [UInt8], makeID: @escaping @Sendable () -> ItemID, rules: Rules = .request,
        _ body: (inout DocumentReader) throws(DecodingProblem) -> Result
    ) throws(DecodingProblem) -> Result {
        var reader = DocumentReader(
            scanner: JSONScanner(bytes, maximumDepth: rules.maximumDepth), makeID: makeID, rules: rules)
        let result: Result
        do throws(DecodingProblem) {
            result = try body(&reader)
            try reader.finish()
        } catch {
            // A fault of shape in the first line is not what is wrong with a text that is no JSON further on.
            if error.code != .malformedJSON {
                do throws(JSONSyntaxError) {
                    try JSONScanner.validate(bytes, maximumDepth: rules.maximumDepth)
                } catch { throw DecodingProblem(error) }
            }
            throw error
        }
        if let noted = reader.noted { throw noted }
        return result
    }

    private init(scanner: JSONScanner, makeID: @escaping @Sendable () -> ItemID, rules: Rules) {
        self.scanner = scanner
        self.rules = rules
        self.makeID = makeID
    }

    // MARK: Problems

    /// A problem with the value at the path, or with a member of it.
    func problem(_ code: DecodingProblem.Code, _ detail: String, member: String? = nil) -> DecodingProblem {
        DecodingProblem(code, detail, pointer: JSONPointer.text(of: path + (member.map { [.member($0)] } ?? [])))
    }

    /// Notes a problem of content; the first counts.
    mutating func note(_ code: DecodingProblem.Code, _ detail: String, member: String? = nil) {
        if noted == nil, rules == .request { noted = problem(code, detail, member: member) }
    }

    /// Notes a problem of content some steps below the path; the first counts.
    mutating func note(_ code: DecodingProblem.Code, _ detail: String, steps: [ChangeError.Step]) {
        if noted == nil, rules == .request {
            noted = DecodingProblem(code, detail, pointer: JSONPointer.text(of: path + steps))
        }
    }

    /// Goes into a member or element for the time of `body`.
    mutating func at<Result>(
        _ step: ChangeError.Step, _ body: (inout DocumentReader) throws(DecodingProblem) -> Result
    ) throws(DecodingProblem) -> Result {
        path.append(step)
        let result = try body(&self)
        path.removeLast()
        return result
    }

    // MARK: Values

    /// The kind of the next value.
    mutating func peek() throws(DecodingProblem) -> JSONKind {
        do throws(JSONSyntaxError) { return try scanner.peek() } catch { throw DecodingProblem(error) }
    }

    /// Enters an object, or throws that the value at the path must be one.
    mutating func beginObject(_ requirement: String) throws(DecodingProblem) {
        if try peek() != .object { throw problem(.invalidChange, requirement) }
        do throws(JSONSyntaxError) { try scanner.beginObject() } catch { throw DecodingProblem(error) }
    }

    /// The next member's name; `nil` at the object's end.
    mutating func nextMember() throws(DecodingProblem) -> JSONString? {
        do throws(JSONSyntaxError) { return try scanner.nextMember() } catch { throw DecodingProblem(error) }
    }

    /// Reads a list by reading each element with `element`, or throws that the value at the path must be one.
    mutating func list<Element>(
        _ requirement: String, _ element: (inout DocumentReader) throws(DecodingProblem) -> Element
    ) throws(DecodingProblem) -> [Element] {
        if try peek() != .array { throw problem(.invalidChange, requirement) }
        do throws(JSONSyntaxError) { try scanner.beginArray() } catch { throw DecodingProblem(error) }
        var elements: [Element] = []
        while try nextElement() {
            path.append(.index(elements.count))
            elements.append(try element(&self))
            path.removeLast()
        }
        return elements
    }

    private mutating func nextElement() throws(DecodingProblem) -> Bool {
        do throws(JSONSyntaxError) { return try scanner.nextElement() } catch { throw DecodingProblem(error) }
    }

    /// Reads a string; `nil` if the value is none, which is read all the same.
    mutating func stringIfAny() throws(DecodingProblem) -> JSONString? {
        guard try peek() == .string else {
            try skipValue()
            return nil
        }
        do throws(JSONSyntaxError) { return try scanner.string() } catch { throw DecodingProblem(error) }
    }

    /// Reads `true` or `false`; `nil` if the value is neither, which is read all the same.
    mutating func boolIfAny() throws(DecodingProblem) -> Bool? {
        guard try peek() == .bool else {
            try skipValue()
            return nil
        }
        do throws(JSONSyntaxError) { return try scanner.bool() } catch { throw DecodingProblem(error) }
    }

    /// Reads any value and drops it.
    mutating func skipValue() throws(DecodingProblem) {
        do throws(JSONSyntaxError) { try scanner.skipValue() } catch { throw DecodingProblem(error) }
    }

    /// Reads any value and appends its compact text.
    mutating func copyValue(to output: inout [UInt8]) throws(DecodingProblem) {
        do throws(JSONSyntaxError) { try scanner.copyValue(to: &output) } catch { throw DecodingProblem(error) }
    }

    /// Reads an object as a merge patch, or throws that the value at the path must be one.
    mutating func mergePatch(_ requirement: String) throws(DecodingProblem) -> JSONMergePatch {
        if try peek() != .object { throw problem(.invalidChange, requirement) }
        let outer = limitOwnDepth()
        defer { maximumDepth = outer }
        do throws(JSONSyntaxError) { return try JSONMergePatch(from: &scanner) } catch { throw DecodingProblem(error) }
    }

    /// What a member of a merge patch does, read as its value.
    mutating func mergeAction() throws(DecodingProblem) -> JSONMergePatch.Action {
        switch try peek() {
        case .null:
            try skipValue()
            return .remove
        case .object: return .merge(try mergePatch(""))
        default:
            var value: [UInt8] = []
            try copyValue(to: &value)
            return .set(value)
        }
    }

    private mutating func finish() throws(DecodingProblem) {
        do throws(JSONSyntaxError) { try scanner.finish() } catch { throw DecodingProblem(error) }
    }

    // MARK: Depth

    /// How many objects and arrays may be open.
    var maximumDepth: Int {
        get { scanner.maximumDepth }
        set { scanner.maximumDepth = newValue }
    }

    /// Limits the next value to `ownDepth` by itself; the caller puts back the limit that is returned.
    mutating func limitOwnDepth() -> Int {
        let outer = scanner.maximumDepth
        if rules == .request { scanner.maximumDepth = min(outer, scanner.depth + Self.ownDepth) }
        return outer
    }
}

extension DecodingProblem {
    /// The problem of a text that is no JSON.
    init(_ error: JSONSyntaxError) {
        self.init(.malformedJSON, "\(error.message), at byte \(error.offset)", offset: error.offset)
    }
}
