import HTTPCore

/// `GET /`: a page for people; `GET /page/{file}`: what it is made of; and `GET /medley.js`, which it and others load.
enum PageResource {
    /// The page loads from where it lies and from nowhere else, runs no script written into it, and stands in no frame.
    private static let policy =
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    private static let index = "index.html"

    static func get(_ call: Call) throws(Problem) -> Response {
        try answer(call, index)
    }

    static func part(_ call: Call) throws(Problem) -> Response {
        // The page has one address.
        guard call.parameters[0] != index else { throw notFound }
        return try answer(call, call.parameters[0])
    }

    /// `GET /medley.js`: the module with which other pages and programs follow collections.
    static func module(_ call: Call) throws(Problem) -> Response {
        guard let file = call.service.configuration.module else { throw notFound }
        var response = call.answer(file.fixedContent, type: file.type)
        if response.status == 200 { response.headers.add("X-Content-Type-Options", "nosniff") }
        return response
    }

    private static func answer(_ call: Call, _ name: String) throws(Problem) -> Response {
        guard let file = call.service.configuration.page.first(where: { $0.name == name }) else { throw notFound }
        var response = call.answer(file.fixedContent, type: file.type)
        guard response.status == 200 else { return response }
        response.headers.add("Content-Security-Policy", policy)
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }

    private static var notFound: Problem {
        ProblemCode.notFound.problem("There is nothing here.")
    }
}
