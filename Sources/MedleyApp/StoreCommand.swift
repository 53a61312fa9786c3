import Foundation
import Journal
import MedleyService

/// The commands that work on a store without a server: `medley check`, `backup` and `restore`.
package enum StoreCommand: String, CaseIterable, Sendable {
    /// Tells what of a store is damaged.
    case check
    /// Copies a store, served or not.
    case backup
    /// Makes a store out of a backup.
    case restore

    private var usage: String {
        switch self {
        case .check:
            """
            usage: medley check DIR

            Reads the whole store in DIR, or a backup file, and tells what is damaged and where. It changes nothing, and the
            store may be served meanwhile. The status is 0 if all is sound, 1 if not.
            """
        case .backup:
            """
            usage: medley backup DIR FILE

            Copies the store in DIR to the new file FILE, as it is at one moment; it may be served meanwhile.
            """
        case .restore:
            """
            usage: medley restore FILE DIR

            Makes a store in DIR, which must have none, out of a backup, or of the folder of another store. Every collection
            gets a new lineage: clients that have seen what came after the backup are told to start over. An older copy
            of a store's folder must be brought back this way too, not put in the store's place.
            """
        }
    }

    private var argumentCount: Int { self == .check ? 1 : 2 }

    /// Runs the command with the arguments behind its name; returns the exit status.
    package func run(_ arguments: [String]) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage)
            return 0
        }
        guard arguments.count == argumentCount, !arguments.contains(where: { $0.hasPrefix("-") || $0.isEmpty }) else {
            complain("medley \(rawValue) takes \(argumentCount == 1 ? "one path" : "two paths")\n\n\(usage)")
            return 2
        }
        let paths = arguments.map { StoreDirectory.absolute($0) }
        do throws(JournalError) {
            switch self {
            case .check: return try check(paths[0])
            case .backup:
                try StoreBackup.back(up: paths[0], to: paths[1])
                print("copied \(arguments[0]) to \(arguments[1])")
            case .restore:
                let count = try StoreBackup.restore(
                    paths[0], to: paths[1], makeLineage: ServiceConfiguration.randomLineage)
                print("restored \(count) collections to \(arguments[1])")
            }
            return 0
        } catch {
            complain("medley \(rawValue): \(error.message)")
            return 1
        }
    }

    private func check(_ path: String) throws(JournalError) -> Int32 {
        let report = try StoreCheck.run(path)
        print(
            "\(report.collections) collections with \(report.items) items, \(report.records) records, "
                + "\(report.answers) answers")
        for damage in report.damages { print(damage) }
        print(report.damages.isEmpty ? "sound" : "damaged in \(report.damages.count) places")
        return report.damages.isEmpty ? 0 : 1
    }

    private func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
