/// One of the files that make up the web page.
package struct PageFile: Sendable {
    /// The last segment of its path; `index.html` is the page itself.
    package let name: String
    /// Its `Content-Type`.
    package let type: String
    /// Its bytes.
    package let content: [UInt8]
    /// Its bytes as they go out.
    let fixedContent: FixedContent

    /// A file whose type follows from its name. O(bytes).
    package init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
        type = Self.type(of: name)
        fixedContent = FixedContent(content)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
