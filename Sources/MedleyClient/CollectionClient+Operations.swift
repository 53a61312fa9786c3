public import JSONText
public import MedleyCore
public import MedleyJSON

/// One change in one edit; `edit(_:)` puts several together.
extension CollectionClient {
    /// Inserts new items, standing together at a place.
    @discardableResult
    public func insert(
        _ items: [ItemContent], at place: Place = .last(in: nil)
    ) async throws(ClientError) -> ChangesAnswer { try await edit([Change(.insert(items, at: place))]) }

    /// Inserts items or replaces the models of those that exist, which move too if a place is given.
    @discardableResult
    public func upsert(
        _ items: [ItemContent], at place: Place? = nil
    ) async throws(ClientError) -> ChangesAnswer { try await edit([Change(.upsert(items, at: place))]) }

    /// Deletes items.
    @discardableResult
    public func delete(_ ids: [ItemID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.delete(ids))])
    }

    /// Lets items stand together, in this order, at a place.
    @discardableResult
    public func move(_ ids: [ItemID], to place: Place) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.move(ids, to: place))])
    }

    /// Gives a section's items, all of them, a new order.
    @discardableResult
    public func reorder(_ section: SectionID, _ ids: [ItemID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.reorder(section, ids))])
    }

    /// Replaces the models of items.
    @discardableResult
    public func update(_ items: [ItemContent]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.update(items))])
    }

    /// Merges a patch (RFC 7396) into the model of each item.
    @discardableResult
    public func merge(_ ids: [ItemID], _ patch: ItemPatch) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.merge(ids, patch))])
    }

    /// Likes items.
    @discardableResult
    public func like(_ ids: [ItemID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.setLiked(ids, true))])
    }

    /// Likes items no longer.
    @discardableResult
    public func unlike(_ ids: [ItemID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.setLiked(ids, false))])
    }

    /// Likes the items that are not liked, and the others no longer.
    @discardableResult
    public func toggleLike(_ ids: [ItemID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.toggleLiked(ids))])
    }

    /// Inserts new, empty sections.
    @discardableResult
    public func insertSection(
        _ sections: [SectionContent], at place: SectionPlace = .last
    ) async throws(ClientError) -> ChangesAnswer { try await edit([Change(.insertSection(sections, at: place))]) }

    /// Lets sections stand together, in this order, at a place; their items travel along.
    @discardableResult
    public func moveSection(_ ids: [SectionID], to place: SectionPlace) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.moveSection(ids, to: place))])
    }

    /// Replaces the titles and other members of sections.
    @discardableResult
    public func updateSection(_ sections: [SectionContent]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.updateSection(sections))])
    }

    /// Deletes sections with their items.
    @discardableResult
    public func deleteSection(_ ids: [SectionID]) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.deleteSection(ids))])
    }

    /// Deletes all items and all sections.
    @discardableResult
    public func deleteAll() async throws(ClientError) -> ChangesAnswer { try await edit([Change(.deleteAll)]) }

    /// Merges a patch (RFC 7396) into the collection's own members, `title` and others.
    @discardableResult
    public func updateCollection(_ patch: JSONMergePatch) async throws(ClientError) -> ChangesAnswer {
        try await edit([Change(.updateCollection(patch))])
    }
}
