import Foundation

/// A file's bytes one by one, read in chunks, so that memory does not grow with the file.
public struct ByteReader {
    private static let chunkSize = 1 << 16

    private let source: (Int) throws(FormatError) -> [UInt8]
    private var chunk: [UInt8]
    private var position = 0
    private var hasEnded = false
    private var bytesBefore = 0

    /// The number of bytes taken so far.
    public var offset: Int { bytesBefore + position }

    /// Reads bytes that are in memory.
    public init(_ bytes: [UInt8]) {
        source = { _ throws(FormatError) in [] }
        chunk = bytes
        hasEnded = true
    }

    /// Reads what `source` returns, called with the number of bytes wanted at most, until it returns none.
    public init(source: @escaping (Int) throws(FormatError) -> [UInt8]) {
        self.source = source
        chunk = []
    }

    /// Opens a file; `-` is standard input. The descriptor is closed with the last copy of the reader.
    ///
    /// Throws `notFound`, `directory` or `unreadable`.
    public init(path: String) throws(FormatError) {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            guard FileManager.default.fileExists(atPath: path) else {
                throw FormatError(.notFound, "\(path): no such file")
            }
            if (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
                throw FormatError(.directory, "\(path) is a directory, not a file")
            }
            do {
                handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            } catch {
                throw FormatError(.unreadable, "\(path) cannot be opened", cause: error.localizedDescription)
            }
        }
        self.init { count throws(FormatError) in
            do {
                return try handle.read(upToCount: count).map { [UInt8]($0) } ?? []
            } catch {
                throw FormatError(.unreadable, "\(path) cannot be read", cause: error.localizedDescription)
            }
        }
    }

    /// The next byte; `nil` at the end.
    mutating func next() throws(FormatError) -> UInt8? {
        if position == chunk.count {
            guard try fill() else { return nil }
        }
        defer { position += 1 }
        return chunk[position]
    }

    /// The byte that `next` will return.
    mutating func peek() throws(FormatError) -> UInt8? {
        if position == chunk.count {
            guard try fill() else { return nil }
        }
        return chunk[position]
    }

    /// Takes `count` bytes that `peek` or `lookahead` have shown to be there.
    mutating func skip(_ count: Int) {
        precondition(position + count <= chunk.count)
        position += count
    }

    /// The bytes ahead, none taken: at least `count` of them if the file has as many.
    mutating func lookahead(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
        while chunk.count - position < count, try extend() {}
        return chunk[position...]
    }

    /// The bytes ahead up to and with the first line feed that follows other than white space, none taken; `nil` if
    /// there is none within `limit` bytes before the file ends.
    mutating func lookaheadLine(limit: Int) throws(FormatError) -> ArraySlice<UInt8>? {
        var index = position
        var isBlank = true
        while index - position < limit {
            if index == chunk.count {
                guard try extend() else { return nil }
            }
            let byte = chunk[index]
            index += 1
            if byte == UInt8(ascii: "\n"), !isBlank { return chunk[position..<index] }
            if !byte.isJSONSpace { isBlank = false }
        }
        return nil
    }

    /// The bytes at hand, taken, or else the next ones; none at the end.
    mutating func nextBytes() throws(FormatError) -> [UInt8] {
        if position == chunk.count {
            guard try fill() else { return [] }
        }
        defer { position = chunk.count }
        return Array(chunk[position...])
    }

    /// All that is left; more than `limit` bytes throw `tooLarge`.
    mutating func rest(limit: Int) throws(FormatError) -> [UInt8] {
        while try extend() {
            guard chunk.count - position <= limit else {
                throw FormatError(.tooLarge, "the file has more than \(limit >> 20) MiB")
            }
        }
        let all = Array(chunk[position...])
        position = chunk.count
        return all
    }

    private mutating func fill() throws(FormatError) -> Bool {
        guard !hasEnded else { return false }
        let more = try source(Self.chunkSize)
        hasEnded = more.isEmpty
        guard !hasEnded else { return false }
        bytesBefore += chunk.count
        chunk = more
        position = 0
        return true
    }

    /// Reads more behind what is there.
    private mutating func extend() throws(FormatError) -> Bool {
        guard !hasEnded else { return false }
        let more = try source(Self.chunkSize)
        hasEnded = more.isEmpty
        if position > 0, !hasEnded {
            bytesBefore += position
            chunk.removeFirst(position)
            position = 0
        }
        chunk += more
        return !hasEnded
    }
}
