import HTTPCore
import Journal
import MedleyCore

/// What a method does with a resource.
struct Operation: Sendable {
    /// Answers at once from what is published.
    typealias Read = @Sendable (Call) throws(Problem) -> Response
    /// Decodes the request and says how the committer decides on it.
    typealias Prepare = @Sendable (Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision

    /// Answers at once, later, or piece by piece as collections change. Called on the request's loop.
    typealias Follow = @Sendable (Call, AnswerContext, any Reply) throws(Problem) -> Void

    enum Action {
        case read(Read)
        case edit(Prepare)
        case follow(Follow)
        /// Signs a browser in or out.
        case session(Read)
    }

    let method: String
    /// What whoever calls must be allowed.
    let need: Need
    /// The names of the query's parameters.
    var query: Set<String> = []
    /// Whether the answer is JSON, so that `Accept` must admit it.
    var answersJSON = true
    /// Whether the answer can have other forms too, which `format` or `Accept` choose.
    var hasFormats = false
    /// The media types of the body; none if it has none.
    var consumes: [String] = []
    /// A command that shows how to send a body.
    var example = ""
    /// Whether a body is read on the loop, where every byte keeps others waiting.
    var isReadOnLoop: Bool { if case .follow = action { true } else { false } }
    /// Whether even a small body takes too long to decode for a loop.
    var isSlow = false
    /// The parameter by which a request only asks what it would do.
    var trialParameter: String?
    let action: Action

    /// Whether it makes a collection that is not there.
    var createsCollections: Bool { method == "PUT" || method == "POST" }

    /// Whether it changes something, so that a page of another origin must not have a browser send it.
    var isGuarded: Bool {
        switch action {
        case .read, .follow: false
        case .edit, .session: true
        }
    }

    static func get(
        needs need: Need, query: Set<String> = [], answersJSON: Bool = true, _ read: @escaping Read
    ) -> Operation {
        Operation(method: "GET", need: need, query: query, answersJSON: answersJSON, action: .read(read))
    }

    static func follow(
        _ method: String = "GET", needs need: Need, query: Set<String> = [], answersJSON: Bool = true,
        hasFormats: Bool = false, consumes: [String] = [], example: String = "", _ follow: @escaping Follow
    ) -> Operation {
        Operation(
            method: method, need: need, query: query, answersJSON: answersJSON, hasFormats: hasFormats,
            consumes: consumes, example: example, action: .follow(follow))
    }

    static func edit(
        _ method: String, needs need: Need, query: Set<String> = [], consumes: [String] = [], example: String = "",
        answersJSON: Bool = true, isSlow: Bool = false, trialParameter: String? = nil,
        _ prepare: @escaping Prepare
    ) -> Operation {
        Operation(
            method: method, need: need, query: query, answersJSON: answersJSON, consumes: consumes, example: example,
            isSlow: isSlow, trialParameter: trialParameter, action: .edit(prepare))
    }

    static func session(
        _ method: String, needs need: Need, answersJSON: Bool, _ change: @escaping Read
    ) -> Operation {
        Operation(method: method, need: need, answersJSON: answersJSON, action: .session(change))
    }
}
