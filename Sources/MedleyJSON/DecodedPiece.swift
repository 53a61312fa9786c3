import JSONText
import MedleyCore

/// What was read from a piece of a checkpoint, to be added to a `CheckpointDecoder`.
package struct DecodedPiece: Sendable {
    let content: Content

    enum Content: Sendable {
        case collection(Head)
        case members([MemberHistory])
        case removedMembers([MemberRemoval])
        case sections([Run])
        case deletedItems([Deleted])
        case deletedSections([Deleted])
    }

    /// What the snapshot is.
    struct Head: Sendable {
        let revision: Revision
        let floor: UInt64
        let counts: CheckpointCounts
    }

    /// A section with items, or items that go on in the section before.
    struct Run: Sendable {
        var section: (content: SectionContent, stamps: Stamps)?
        var items: ContiguousArray<ItemRecord> = []
    }

    /// A deletion.
    struct Deleted: Sendable {
        let id: [UInt8]
        let created: UInt64
        let deleted: UInt64
    }
}
