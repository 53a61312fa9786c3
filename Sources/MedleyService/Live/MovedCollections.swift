/// Collections in the order in which they moved first, each once.
struct MovedCollections {
    private var queue: [String] = []
    private var head = 0
    private var waiting: Set<String> = []

    mutating func append(_ collections: some Sequence<String>) {
        for collection in collections where waiting.insert(collection).inserted { queue.append(collection) }
    }

    /// Takes the first. O(1) amortised; empty it keeps no memory, since streams are silent most of the time.
    mutating func takeFirst() -> String? {
        guard head < queue.count else { return nil }
        let collection = queue[head]
        head += 1
        waiting.remove(collection)
        if head == queue.count { self = MovedCollections() }
        return collection
    }
}
