/// A problem (RFC 9457): what `application/problem+json` says about an error.
package struct Problem: Error, Hashable, Sendable {
    /// A member beyond those that every problem has.
    package struct Member: Hashable, Sendable {
        /// The member's name.
        package let name: String
        /// Its value, JSON text already.
        package let json: String
    }

    /// The code; the type is `/problems/<code>`.
    package let code: String
    /// The status code.
    package let status: Int
    /// A summary that is the same for every problem of this code.
    package let title: String
    /// What is wrong this time; `nil` to say nothing.
    package let detail: String?
    /// Further members in order.
    package private(set) var members: [Member] = []
    /// Header fields that the response carries besides its type: `Allow`, `Retry-After` and the like.
    package var headers = HeaderFields()

    /// Creates a problem without further members.
    package init(code: String, status: Int, title: String, detail: String? = nil) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// Adds a member whose value is JSON text already.
    package func with(_ name: String, json: String) -> Problem {
        var problem = self
        problem.members.append(Member(name: name, json: json))
        return problem
    }

    /// Adds a member whose value is a string.
    package func with(_ name: String, _ text: String) -> Problem {
        var json: [UInt8] = []
        Self.append(string: text, to: &json)
        return with(name, json: String(decoding: json, as: UTF8.self))
    }

    /// Adds a member whose value is a number.
    package func with(_ name: String, _ number: Int) -> Problem { with(name, json: String(number)) }

    /// Adds a header field of the response.
    package func withHeader(_ name: String, _ value: String) -> Problem {
        var problem = self
        problem.headers.add(name, value)
        return problem
    }

    /// The problem as JSON text.
    package var json: [UInt8] {
        var json: [UInt8] = []
        json.append("{\"type\":")
        Self.append(string: "/problems/\(code)", to: &json)
        json.append(",\"title\":")
        Self.append(string: title, to: &json)
        json.append(",\"status\":")
        json.append(decimal: status)
        if let detail {
            json.append(",\"detail\":")
            Self.append(string: detail, to: &json)
        }
        for member in members {
            json.append(",")
            Self.append(string: member.name, to: &json)
            json.append(":")
            json.append(text: member.json)
        }
        json.append("}")
        return json
    }

    /// The response: the problem's status, its fields and its JSON.
    package var response: Response {
        var headers = HeaderFields()
        headers.add("Content-Type", "application/problem+json")
        for field in self.headers.fields { headers.add(field.name, field.value) }
        return Response(status: status, headers: headers, body: .bytes(json))
    }

    /// Appends a JSON string (RFC 8259, 7) with its quotes.
    package static func append(string text: String, to json: inout [UInt8]) {
        json.append("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): json.append("\\\"")
            case UInt8(ascii: "\\"): json.append("\\\\")
            case UInt8(ascii: "\n"): json.append("\\n")
            case UInt8(ascii: "\r"): json.append("\\r")
            case UInt8(ascii: "\t"): json.append("\\t")
            case 0..<0x20:
                json.append(byte < 16 ? "\\u000" : "\\u00")
                json.append(hexadecimal: Int(byte))
            default: json.append(byte)
            }
        }
        json.append("\"")
    }
}
