import JSONText
import MedleyCore

/// Reads one body: a scanner, where in the document it is, and the first problem of content so far.
///
/// Faults of JSON and of shape are thrown where they are met. Problems of an item's or section's content are noted and
/// thrown at the end, since the protocol checks the shape of the whole first.
struct DocumentReader {
    /// How strictly content is judged.
    enum Rules {
        /// It comes from a client: the protocol's rules hold.
        case request
        /// It was accepted before: nothing that can be held is refused.
        case kept

        /// How many objects and arrays may stand inside each other. What was kept may be as deep as in a checkpoint.
        var maximumDepth: Int { self == .request ? ContentLimits.depth : CheckpointReader.maximumDepth }
    }

    private var scanner: JSONScanner
    let rules: Rules
    let limits: ContentLimits
    /// How many items, ids and sections were read.
    private var nameCount = 0
    private(set) var noted: DecodingProblem?
    private var path: [ChangeError.Step] = []
    /// Holds a model while it is read, so that each is allocated once at its size.
    var scratch: [UInt8] = []
    let makeID: @Sendable () -> ItemID

    /// Reads a whole body by `body`.
    static func read<Result>(
        _ bytes: [UInt8], makeID: @escaping @Sendable () -> ItemID, rules: Rules = .request,
        limits: ContentLimits = .none, _ body: (inout DocumentReader) throws(DecodingProblem) -> Result
    ) throws(DecodingProblem) -> Result {
        var reader = DocumentReader(
            scanner: JSONScanner(bytes, maximumDepth: rules.maximumDepth), makeID: makeID, rules: rules,
            limits: limits)
        let result: Result
        do throws(DecodingProblem) {
            result = try body(&reader)
            try reader.finish()
        } catch {
            // A fault of shape in the first line is not what is wrong with a text that is no JSON further on.
            if error.code != .malformedJSON {
                do throws(JSONSyntaxError) {
                    try JSONScanner.validate(bytes, maximumDepth: rules.maximumDepth)
                } catch { throw DecodingProblem(error, depth: rules.maximumDepth) }
            } else if error.limit == ContentLimits.ownDepth, let whole = tooDeep(bytes, rules) {
                throw whole
            }
            throw error
        }
        if let noted = reader.noted { throw noted }
        return result
    }

    /// The problem of a text that is nested too deeply as a whole; `nil` if it is not, or not only.
    private static func tooDeep(_ bytes: [UInt8], _ rules: Rules) -> DecodingProblem? {
        do throws(JSONSyntaxError) {
            try JSONScanner.validate(bytes, maximumDepth: rules.maximumDepth)
            return nil
        } catch { return error.code == .tooDeep ? DecodingProblem(error, depth: rules.maximumDepth) : nil }
    }

    private init(
        scanner: JSONScanner, makeID: @escaping @Sendable () -> ItemID, rules: Rules, limits: ContentLimits
    ) {
        self.scanner = scanner
        self.rules = rules
        self.limits = limits
        self.makeID = makeID
    }

    // MARK: Problems

    /// A problem with the value at the path, or with a member of it.
    func problem(
        _ code: DecodingProblem.Code, _ detail: String, member: String? = nil, limit: Int? = nil
    ) -> DecodingProblem {
        DecodingProblem(
            code, detail, pointer: JSONPointer.text(of: path + (member.map { [.member($0)] } ?? [])), limit: limit)
    }

    /// Notes a problem of content; the first counts.
    mutating func note(
        _ code: DecodingProblem.Code, _ detail: String, member: String? = nil, limit: Int? = nil
    ) {
        if noted == nil, rules == .request { noted = problem(code, detail, member: member, limit: limit) }
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

    /// What the elements of a list are, for their limit.
    enum ListKind {
        case changes
        /// Items, ids or sections.
        case names
    }

    /// Reads a list by reading each element with `element`, or throws that the value at the path must be one, or that
    /// there are too many of its kind.
    mutating func list<Element>(
        _ requirement: String, of kind: ListKind = .names,
        _ element: (inout DocumentReader) throws(DecodingProblem) -> Element
    ) throws(DecodingProblem) -> [Element] {
        if try peek() != .array { throw problem(.invalidChange, requirement) }
        do throws(JSONSyntaxError) { try scanner.beginArray() } catch { throw DecodingProblem(error) }
        var elements: [Element] = []
        while try nextElement() {
            try count(kind, before: elements.count)
            path.append(.index(elements.count))
            elements.append(try element(&self))
            path.removeLast()
        }
        return elements
    }

    /// Counts an element of a list before which so many stand.
    private mutating func count(_ kind: ListKind, before index: Int) throws(DecodingProblem) {
        switch kind {
        case .changes:
            guard index >= limits.changes else { return }
            throw problem(
                .contentTooLarge, "a request has at most \(limits.changes) changes", limit: limits.changes)
        case .names:
            nameCount += 1
            guard nameCount > limits.names else { return }
            throw problem(
                .contentTooLarge, "a request names at most \(limits.names) items, ids and sections in all",
                limit: limits.names)
        }
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
        if rules == .request { scanner.maximumDepth = min(outer, scanner.depth + ContentLimits.ownDepth) }
        return outer
    }
}

extension DecodingProblem {
    /// The problem of a text that is no JSON; where it is nested too deeply, `depth` is the limit.
    init(_ error: JSONSyntaxError, depth: Int = ContentLimits.ownDepth) {
        self.init(
            .malformedJSON, "\(error.message), at byte \(error.offset)", offset: error.offset,
            limit: error.code == .tooDeep ? depth : nil)
    }
}
