import HTTPCore

/// A query whose names are known and stand once each.
struct Query: Sendable {
    private let items: [QueryItems.Item]

    /// Checks a raw query. Names that begin with `_` are for caches and passed over.
    init(_ text: String?, allowed: Set<String>) throws(Problem) {
        guard text != nil else {
            items = []
            return
        }
        guard let parsed = QueryItems(text) else {
            throw Self.invalid("A name in the query is not percent-encoded UTF-8.")
        }
        let items = parsed.items.filter { $0.name.utf8.first != UInt8(ascii: "_") }
        for (index, item) in items.enumerated() {
            guard allowed.contains(item.name) else {
                let known = allowed.sorted().joined(separator: ", ")
                throw Self.invalid(
                    "There is no parameter \"\(item.name)\" here; "
                        + (known.isEmpty ? "there is none." : "there are: \(known)."))
            }
            if items[..<index].contains(where: { $0.name == item.name }) {
                throw Self.invalid("\"\(item.name)\" is given twice.")
            }
        }
        self.items = items
    }

    static func invalid(_ detail: String) -> Problem { ProblemCode.invalidQuery.problem(detail) }

    /// A parameter's value; `nil` if it is not given.
    func value(_ name: String) throws(Problem) -> String? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let value = item.value else { throw Self.invalid("\"\(name)\" is not percent-encoded UTF-8.") }
        return value
    }

    /// A parameter's elements, split before they were decoded; `nil` if it is not given.
    func list(_ name: String) throws(Problem) -> [String]? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let list = item.list else { throw Self.invalid("\"\(name)\" is not percent-encoded UTF-8.") }
        if list.isEmpty || list.contains(where: \.isEmpty) {
            throw Self.invalid("\"\(name)\" is a list of one or more, separated by commas, none of them empty.")
        }
        return list
    }

    /// A parameter that is `true` or `false`.
    func bool(_ name: String) throws(Problem) -> Bool? {
        switch try value(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw Self.invalid("\"\(name)\" is true or false.")
        }
    }

    /// A parameter that can only have one value: whether it is given.
    func flag(_ name: String, _ only: String) throws(Problem) -> Bool {
        guard let value = try value(name) else { return false }
        guard value == only else { throw Self.invalid("\"\(name)\" can only be \"\(only)\".") }
        return true
    }

    /// A parameter that is a whole number from 1; what is more than `most` counts as that.
    func count(_ name: String, most: Int) throws(Problem) -> Int? {
        guard let text = try value(name) else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            text.utf8.contains(where: { $0 != UInt8(ascii: "0") })
        else { throw Self.invalid("\"\(name)\" is a whole number from 1.") }
        return min(Int(text) ?? most, most)
    }

    /// A parameter that is a time in seconds, 0 or more; what is more than `most` counts as that.
    func seconds(_ name: String, most: Double) throws(Problem) -> Double? {
        guard let text = try value(name) else { return nil }
        guard let seconds = Seconds.parse(text) else { throw Self.invalid("\"\(name)\" is a number of seconds.") }
        return min(seconds, most)
    }

    /// The parameters in one spelling, whatever theirs was, in the order of their names.
    func canonical(without omitted: String? = nil) -> String {
        items.filter { $0.name != omitted }
            .sorted { $0.name < $1.name }
            .map(Self.spelling)
            .joined(separator: "&")
    }

    /// A parameter's name and value in one spelling; empty if it is not given.
    func spelling(of name: String) -> String {
        items.first { $0.name == name }.map(Self.spelling) ?? ""
    }

    private static func spelling(_ item: QueryItems.Item) -> String {
        "\(item.name)=\((item.list ?? []).map { PercentEncoding.encode($0) }.joined(separator: ","))"
    }
}

/// Times as clients write them.
enum Seconds {
    /// A number 0 or more as JSON writes it, save that it may begin with superfluous zeros; `nil` for anything else.
    static func parse(_ text: String) -> Double? {
        var rest = text.utf8.prefix(longest + 1)[...]
        guard rest.count <= longest, skipDigits(&rest) else { return nil }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits(&rest) else { return nil }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            guard skipDigits(&rest) else { return nil }
        }
        return rest.isEmpty ? Double(text) : nil
    }

    /// As many characters as JSON libraries make of any number that they hold.
    private static let longest = 400

    private static func skipDigits(_ text: inout Substring.UTF8View) -> Bool {
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        text.removeFirst(digits.count)
        return !digits.isEmpty
    }
}
