import Foundation
import FoundationXML

/// Takes elements out of a document as they end, so that a long one is never held whole.
protocol XMLVisitor: AnyObject {
    /// An element has ended; `path` names the elements around it, the root first. Returns whether it has been dealt
    /// with and can be forgotten; else it stays in the element around it.
    func visit(_ element: XMLNode, in path: [String]) throws(FormatError) -> Bool
}

/// Reads an XML document whole, or not at all: one that is broken anywhere gives nothing but the place.
///
/// Nothing outside the document is ever opened, no entity is defined (see `XMLProlog`), and depth, attributes, text
/// and what is held at once are bounded.
enum XMLReader {
    /// The most bytes that a document may have.
    static let sizeLimit = 256 << 20
    /// How deep elements may nest.
    static let depthLimit = 100
    /// The most bytes that the names and values of one element's attributes may have together.
    static let attributeLimit = 1 << 20
    /// The most bytes and elements that may be held at once.
    static let heldLimit = (bytes: 64 << 20, elements: 500_000)

    /// Reads a document; what `visitor` has not taken is in the root that is returned. O(bytes).
    ///
    /// Throws `malformed` or `tooLarge`.
    static func read(_ bytes: inout ByteReader, _ visitor: any XMLVisitor) throws(FormatError) -> XMLNode {
        let head = try bytes.lookahead(XMLProlog.limit)
        _ = try XMLProlog(head)
        // Blank lines before the declaration are a common slip that a parser does not forgive.
        let blank = head.prefix(while: \.isJSONSpace)
        let blankLines = blank.count { $0 == UInt8(ascii: "\n") }
        bytes.skip(blank.count)
        var data = Data()
        while true {
            let chunk = try bytes.nextBytes()
            if chunk.isEmpty { break }
            data.append(contentsOf: chunk)
            guard data.count <= sizeLimit else {
                throw FormatError(.tooLarge, "the XML document has more than \(sizeLimit >> 20) MiB")
            }
        }
        // From a stream, since the parser looks no further than 10 MB ahead in what it is given at once.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        let builder = XMLTreeBuilder(visitor, blankLines: blankLines)
        parser.delegate = builder
        _ = parser.parse()
        return try builder.finish()
    }
}

/// Builds the tree while `XMLParser` reports what it finds. That parser goes on behind an error, and returns success
/// for a document that is cut off; here the first error is the end.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private let visitor: any XMLVisitor
    /// The lines before what the parser was given.
    private let blankLines: Int
    private var names = XMLNames()
    private var open: [XMLNode] = []
    private var path: [String] = []
    private var root: XMLNode?
    private var failure: FormatError?
    private var held = (bytes: 0, elements: 0)

    /// Errors about namespaces, and warnings, after which nothing is missing: undeclared prefixes, relative names.
    private static let harmless: Set<Int> = [93, 98, 99, 100, 102, 200, 201, 202, 204, 205]

    init(_ visitor: any XMLVisitor, blankLines: Int) {
        self.visitor = visitor
        self.blankLines = blankLines
    }

    func finish() throws(FormatError) -> XMLNode {
        if let failure { throw failure }
        guard let root, open.isEmpty else { throw FormatError(.malformed, "there is no whole XML document") }
        return root
    }

    private func line(_ parser: XMLParser) -> Int { max(1, parser.lineNumber) + blankLines }

    private func fail(_ code: FormatError.Code, _ message: String, _ parser: XMLParser) {
        if failure == nil { failure = FormatError(code, message, line: line(parser)) }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        guard failure == nil else { return }
        guard open.count < XMLReader.depthLimit else {
            return fail(.tooLarge, "elements nest deeper than \(XMLReader.depthLimit)", parser)
        }
        let size = attributeDict.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= XMLReader.attributeLimit else {
            return fail(
                .tooLarge, "the attributes of an element have more than \(XMLReader.attributeLimit >> 20) MiB", parser)
        }
        let (name, attributes) = names.enter(elementName, attributeDict, depth: open.count)
        let node = XMLNode(name: name, line: line(parser), attributes: attributes)
        open.append(node)
        path.append(name)
        hold(bytes: node.weight, elements: 1, parser)
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        guard failure == nil, let node = open.popLast() else { return }
        path.removeLast()
        names.leave(depth: open.count)
        guard let parent = open.last else {
            root = node
            return
        }
        do throws(FormatError) {
            if try visitor.visit(node, in: path) {
                held.bytes -= node.weight
                held.elements -= node.size
            } else {
                parent.append(node)
            }
        } catch {
            failure = error
            parser.abortParsing()
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { take(string, parser) }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        take(String(decoding: CDATABlock, as: UTF8.self), parser)
    }

    private func take(_ text: String, _ parser: XMLParser) {
        guard failure == nil, let node = open.last else { return }
        node.append(text)
        hold(bytes: text.utf8.count, elements: 0, parser)
    }

    private func hold(bytes: Int, elements: Int, _ parser: XMLParser) {
        held.bytes += bytes
        held.elements += elements
        if held.bytes > XMLReader.heldLimit.bytes || held.elements > XMLReader.heldLimit.elements {
            fail(.tooLarge, "there is more in one place than can be held at once", parser)
        }
    }

    func parser(_ parser: XMLParser, resolveExternalEntityName name: String, systemID: String?) -> Data? {
        fail(
            .malformed,
            "&\(name); means nothing here: XML knows &amp; &lt; &gt; &quot; &apos; and numbers such as &#160;", parser)
        return nil
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        let code = (parseError as NSError).code
        guard failure == nil, !Self.harmless.contains(code) else { return }
        fail(code == 1 ? .tooLarge : .malformed, message(code), parser)
    }

    private func message(_ code: Int) -> String {
        let place = open.last.map { "<\($0.name)>, which begins on line \($0.line)" }
        switch code {
        case 1: return "there is more text in one place than can be read"
        case 4, 5:
            if let place { return "the XML document ends in the middle, in \(place); nothing of it is imported" }
            return root == nil
                ? "the XML document ends before its first element" : "something stands behind the XML document's end"
        case 9: return "a character that XML does not allow, or text that is not in the document's encoding"
        case 26, 27: return "an entity that is not declared"
        case 31, 32, 81: return "the text is not in the encoding that the document states"
        case 38, 39, 40, 41, 42, 65, 73: return "a tag's attributes are not well-formed XML"
        case 76, 77, 78:
            return place.map { "another tag is closed than the one that is open: \($0)" } ?? "a tag is not closed"
        default: return "not well-formed XML" + (place.map { ", in \($0)" } ?? "")
        }
    }
}
