/// What a `PersistentMap` holds: an object that knows its own key, so that no key is stored twice.
protocol PersistentMapElement: AnyObject, Sendable {
    associatedtype Key: Hashable & Sendable

    /// The key; it never changes while the element is in a map.
    var mapKey: Key { get }
}
