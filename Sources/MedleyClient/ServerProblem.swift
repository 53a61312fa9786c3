import Foundation
import JSONText
public import MedleyCore
public import MedleyJSON

/// What a server says about a request that it refused (RFC 9457).
public struct ServerProblem: Hashable, Sendable {
    /// The protocol's code: the last part of `type`.
    public let code: String
    /// The HTTP status.
    public let status: Int
    /// What is wrong in general.
    public let title: String
    /// What is wrong this time.
    public let detail: String
    /// What it is about, as a JSON pointer (RFC 6901) into the request's body.
    public let pointer: String?
    /// The collection's revision, where the client's is stale, gone or unknown (410, 412).
    public let current: Revision?
    /// What a client with a stale copy is missing (412), so that it can apply that and edit again.
    public let difference: ChangesAnswer?

    /// Creates a problem.
    public init(
        code: String, status: Int, title: String = "", detail: String = "", pointer: String? = nil,
        current: Revision? = nil, difference: ChangesAnswer? = nil
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
        self.current = current
        self.difference = difference
    }

    /// Reads the body of an answer; `nil` if it is no problem of this service.
    init?(_ response: ClientResponse) {
        var scanner = JSONScanner(response.body)
        guard response.status >= 400, let members = try? scanner.members(), (try? scanner.finish()) != nil else {
            return nil
        }
        func text(_ name: String) -> String? {
            members.string(of: name).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let type = text("type"), let prefix = type.range(of: "/problems/") else { return nil }
        self.init(
            code: String(type[prefix.upperBound...]), status: response.status, title: text("title") ?? "",
            detail: text("detail") ?? "", pointer: text("pointer"),
            current: text("current").flatMap { Revision($0) },
            difference: text("to") == nil ? nil : try? ChangeDecoder().changesAnswer(response.body))
    }

    /// The detail, or what there is in its place.
    public var summary: String {
        if !detail.isEmpty { return detail }
        return title.isEmpty ? "\(code) (\(status))" : title
    }
}
