import HTTPCore

/// `GET /`: a page for people.
enum PageResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        var response = call.answer(Document(Array(page.utf8)), type: "text/html; charset=utf-8")
        response.headers.add("Content-Security-Policy", "default-src 'none'")
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Medley</title></head>
        <body>
        <h1>Medley</h1>
        <p>Hosts media collections as snapshots, versioned changes and patches.</p>
        <ul>
        <li><a href="/v1">The service</a></li>
        <li><a href="/v1/collections">The collections</a></li>
        <li><a href="/openapi.yaml">The contract (OpenAPI)</a></li>
        </ul>
        </body>
        </html>

        """
}
