import Foundation
import JSONText
import MedleyCore

/// Reads a folder of media files as if it were a playlist: each file an item, each folder with files in it a section.
///
/// Files are told by their extension; hidden ones and other kinds are left out. Links are followed, a folder that was
/// seen already is not entered again. Names are sorted, so that the same folder gives the same records.
public struct FolderReader: RecordReader {
    static let depthLimit = 64
    static let fileLimit = 1_000_000

    private let root: URL
    /// What the ids begin with, so that two folders with files of the same names go into one collection.
    private let name: String
    private let probe: MediaProbe?
    private let list: (String) throws -> [String]
    /// Folders still to be listed, the next one last, and the rest of the one that is being read.
    private var folders: [(path: String, depth: Int)]
    private var files: ArraySlice<String> = []
    private var folder = ""
    private var section: SectionContent?
    private var seen: Set<String> = []
    private var waiting: [ImportedEntry] = []
    private var count = 0

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The sizes of the files seen so far, together; of what is in them only tags are read.
    public private(set) var bytesRead = 0

    /// Nobody knows how much there is.
    public var tellsProgress: Bool { false }

    /// Starts with a folder. `probe` reads the files' tags; without one their names say what new items are, and items that
    /// exist stay as they are.
    ///
    /// Throws `notFound`, or `unreadable` for what is no folder or cannot be listed.
    public init(path: String, probe: MediaProbe? = .onPath()) throws(FormatError) {
        try self.init(path: path, probe: probe) { try FileManager.default.contentsOfDirectory(atPath: $0) }
    }

    /// Starts with a folder; `list` names what is in one.
    package init(
        path: String, probe: MediaProbe?, list: @escaping (String) throws -> [String]
    ) throws(FormatError) {
        root = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
        name = root.lastPathComponent == "/" ? "" : root.lastPathComponent
        self.probe = probe
        self.list = list
        folders = [("", 0)]
        guard let isFolder = Self.isFolder(path) else {
            throw FormatError(.notFound, "\(path): no such folder")
        }
        guard isFolder else { throw FormatError(.unreadable, "\(path) is a file, not a folder") }
        do {
            _ = try list(root.path)
        } catch {
            throw FormatError(.unreadable, "\(path) cannot be listed", cause: error.localizedDescription)
        }
        if probe == nil {
            note("there is no ffprobe: names say what new items are, and items that exist stay as they are")
        }
    }

    /// Whether a path, links followed, is a folder; `nil` if there is nothing.
    static func isFolder(_ path: String) -> Bool? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    /// The next file as a record. It has no line; its place is the file's number, from 1.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        while true {
            if !waiting.isEmpty { return waiting.removeFirst() }
            if let name = files.popFirst() {
                count += 1
                guard count <= Self.fileLimit else {
                    throw FormatError(.tooLarge, "the folder has more than \(Self.fileLimit) media files")
                }
                take(name)
            } else if let next = folders.popLast() {
                enter(next.path, depth: next.depth)
            } else {
                return nil
            }
        }
    }

    /// Lists a folder: its files come next, then the folders in it.
    private mutating func enter(_ path: String, depth: Int) {
        let place = path.isEmpty ? root : root.appendingPathComponent(path, isDirectory: true)
        guard seen.insert(place.resolvingSymlinksInPath().path).inserted else { return }
        guard let names = try? list(place.path).sorted() else {
            return refuse("a folder cannot be listed: \(path)")
        }
        var found: [String] = []
        var inner: [(path: String, depth: Int)] = []
        for name in names where !name.hasPrefix(".") {
            let file = place.appendingPathComponent(name).path
            let relative = path.isEmpty ? name : "\(path)/\(name)"
            guard let isFolder = Self.isFolder(file) else {
                // It may have led to files a moment ago, such as on a disk that is not plugged in.
                note("a link leads nowhere, or a name is not UTF-8: \(relative)", hidesRecords: true)
                continue
            }
            if isFolder {
                if depth < Self.depthLimit {
                    inner.append((relative, depth + 1))
                } else {
                    refuse("folders nest deeper than \(Self.depthLimit): \(relative)")
                }
            } else if MediaKind.type(name: Self.escaped(name)) != nil {
                found.append(name)
            }
        }
        folders += inner.reversed()
        folder = path
        files = found[...]
        section = nil
        guard !found.isEmpty else { return }
        let title = path.isEmpty ? root.lastPathComponent : path
        let content = SectionContent(
            title: title, id: [path.isEmpty ? nil : "\(name)/\(path)"], fields: FieldList(source: "folder"))
        section = content
        waiting.append(.section(content))
    }

    private mutating func note(_ message: String, hidesRecords: Bool = false) {
        waiting.append(.notice(ImportNotice(line: max(1, count), message: message, hidesRecords: hidesRecords)))
    }

    private mutating func refuse(_ reason: String) {
        waiting.append(.refusal(ImportRefusal(line: max(1, count), reason: reason)))
    }

    private mutating func take(_ name: String) {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let file = root.appendingPathComponent(path)
        // A link's own size says nothing, and a pipe or a device is no file.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            let size = (attributes[.size] as? NSNumber)?.int64Value
        else {
            waiting.append(.refusal(ImportRefusal(line: count, reason: "\(path) is no file that can be read")))
            return
        }
        bytesRead += Int(size)
        var fields = FieldList(source: "file")
        let said = FileTitle(fileName: name)
        var isPartial = true
        if let probe {
            do throws(ProbeError) {
                FileTags(try probe.members(of: file.path)).put(in: &fields)
                isPartial = false
            } catch {
                note("\(error.reason); its name says what it is")
            }
        }
        fields.set("title", said.title)
        if !fields.has("artist"), !fields.has("album") {
            fields.set("artist", said.artist)
            fields.set("album", said.album)
        }
        fields.set("trackNumber", number: said.trackNumber)
        fields.set("fileName", name)
        fields.set("path", path)
        fields.set("size", number: "\(size)")
        let draft = EntryDraft(
            line: count, fields: fields, id: EntryDraft.id(["\(self.name)/\(path)"]),
            type: MediaKind.type(name: Self.escaped(name)), section: section, isPartial: isPartial)
        waiting += [draft].entries()
    }

    /// A file's name where one of a URL is looked at: these two are plain characters in it.
    private static func escaped(_ name: String) -> String { name.replacing("?", with: "_").replacing("#", with: "_") }
}
