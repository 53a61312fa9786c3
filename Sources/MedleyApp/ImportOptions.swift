package import MedleyClient
import MedleyCore
package import MedleyFormats

/// What `medley import` is asked for.
package struct ImportOptions: Sendable {
    /// The file; `-` is standard input.
    package var path: String
    /// The collection.
    package var url: CollectionURL
    /// How records become items.
    package var mapping: RecordMapping
    /// The token that is shown.
    package var access = ClientAccess()
    /// What is said of the file's format.
    package var format = StatedFormat.byContent
    /// What is done beyond inserting and updating.
    package var plan = ImportPlan.Options()
    /// Whether nothing is sent, only what would change is told.
    package var isDryRun = false

    /// How the command is used.
    package static let usage = """
        usage: medley import FILE --into http://HOST:PORT/v1/collections/NAME [options]

        Reads a file (- is standard input) and inserts or updates an item for each record. The same file imported again,
        with the same options, changes nothing. Likes stay, and unless --prune or --order is given nothing is deleted and
        an item that exists stays where it is.

          tables       CSV, TSV                  playlists   M3U, PLS, XSPF, JSPF
          JSON         an array of objects,      feeds       RSS, Atom, OPML outlines
                       JSON Lines, a snapshot    libraries   what iTunes and Music export as XML
          a folder     of media files, with their tags if ffprobe is installed

        The format is told by the content. Playlists, feeds, libraries and folders bring their own sections and ids.

          --into URL            the collection; it is created if it does not exist
          --type TYPE           the items' type (default: the record's own, else "item")
          --section FIELD       group the items into sections by a field's value
          --map MEMBER=FIELD,…  put a field's value under another name, such as "title=Song,artist=Band"
          --id FIELD[,FIELD]    make the id of these fields (default: the record's own, else one made of its content)
          --format NAME         the format, if the content is not to tell it:
                                \(StatedFormat.names.joined(separator: " "))
          --order source        put the file's items and sections in the file's order, by the fewest moves; others stay
          --prune               delete the items that the file does not have, unless not all of it could be read, or it
                                has no record
          --dry-run             send nothing; print a line for each change that there would be, \(ImportCommand.shownChanges) at most
        \(ClientAccess.usage(column: 24))

        Fields are named as in the file. A name with a comma stands in double quotes within the option's value; --map and
        --id may be given several times. The parts of an id are joined with |: "Naima|John Coltrane". Cells of a CSV stay
        strings; JSON values stay what they are.

        Records go in batches, so that of a file which breaks off, what came before is imported. Ctrl-C stops between two of
        them; the same command goes on. What is refused is a line on standard error. The exit status is 0 if every record
        is in, 1 if one was refused, if --prune deleted nothing or if the import failed, 2 if the arguments are wrong, 130 after Ctrl-C.
        """

    /// A mistake in the arguments.
    package struct UsageError: Error, Hashable, Sendable {
        /// What is wrong, for the user.
        package let message: String
    }

    /// Reads the arguments behind `import`.
    package init(_ arguments: [String]) throws(UsageError) {
        var path: String?
        var into: String?
        var mapping = RecordMapping()
        var section: String?
        var type: String?
        var format: String?
        var rest = arguments[...]
        var takesOptions = true
        while let argument = rest.popFirst() {
            guard takesOptions, argument.hasPrefix("-"), argument != "-" else {
                guard path == nil else { throw UsageError(message: "one file at a time: \(argument)") }
                path = argument
                continue
            }
            if argument == "--" {
                takesOptions = false
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if name == "--token" { throw UsageError(message: ClientAccess.refusal) }
            if name == "--dry-run" || name == "--prune" {
                guard parts.count == 1 else { throw UsageError(message: "\(name) has no value") }
                if name == "--prune" { plan.prunes = true } else { isDryRun = true }
                continue
            }
            guard
                ["--into", "--type", "--section", "--map", "--id", "--format", "--order", "--token-from"].contains(name)
            else {
                throw UsageError(message: "unknown option \(name)")
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
                throw UsageError(message: "\(name) needs a value")
            }
            do throws(FormatError) {
                switch name {
                case "--into": try Self.set(&into, value, name)
                case "--type": try Self.set(&type, value, name)
                case "--token-from": try Self.set(&access.tokenFile, value, name)
                case "--section": try Self.set(&section, value, name)
                case "--format": try Self.set(&format, value, name)
                case "--order":
                    guard value == "source" else { throw FormatError(.malformed, "there is only: source") }
                    plan.takesSourceOrder = true
                case "--map": mapping.members += try RecordMapping.members(option: value)
                default: mapping.idFields += try RecordMapping.fields(option: value)
                }
            } catch {
                throw UsageError(message: "\(name): \(error.message)")
            }
        }
        guard let path else { throw UsageError(message: "which file?") }
        guard let into else { throw UsageError(message: "where to? --into http://HOST:PORT/v1/collections/NAME") }
        if let type {
            guard let type = ItemType(type) else {
                throw UsageError(
                    message: "--type: \"\(type)\" is not a lower-case letter with letters and digits behind it")
            }
            mapping.type = type
        }
        if let format {
            guard let stated = StatedFormat(name: format) else {
                let names = StatedFormat.names.joined(separator: ", ")
                throw UsageError(message: "--format: \(format) is none of \(names)")
            }
            self.format = stated
        }
        mapping.section = section.map { Array($0.utf8) }
        do throws(ClientError) {
            url = try CollectionURL(into)
        } catch {
            throw UsageError(message: "--into: \(error.message)")
        }
        self.path = path
        self.mapping = mapping
    }

    private static func set(_ option: inout String?, _ value: String, _ name: String) throws(FormatError) {
        guard option == nil else { throw FormatError(.malformed, "given twice") }
        option = value
    }
}
