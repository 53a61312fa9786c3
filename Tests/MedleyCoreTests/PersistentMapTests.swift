import Synchronization
import Testing

@testable import MedleyCore

/// A key some of whose kind have the same hash: `kinds` of them differ, as far as hashing goes.
private struct Key: Hashable, Sendable {
    let number: Int
    let kinds: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % kinds) }
}

/// Counts the objects that live, so that a reference too many or too few shows.
private final class Census: Sendable {
    private let living = Atomic<Int>(0)
    var count: Int { living.load(ordering: .relaxed) }
    func add(_ number: Int) { living.add(number, ordering: .relaxed) }
}

private final class Entry: PersistentMapElement {
    let mapKey: Key
    let value: Int
    private let census: Census

    init(_ key: Key, _ value: Int, _ census: Census) {
        mapKey = key
        self.value = value
        self.census = census
        census.add(1)
    }

    deinit { census.add(-1) }
}

private typealias Map = PersistentMap<Entry>
private typealias Model = [Key: Entry]

@Suite struct PersistentMapTests {
    @Test func emptyMap() {
        var map = Map()
        let key = Key(number: 1, kinds: 10)
        #expect(map.isEmpty)
        #expect(map.find(key) == nil)
        #expect(map.remove(key) == nil)
        #expect(map.update(key) { _ in true } == nil)
        #expect(Array(map).isEmpty)
        #expect(map.checkInvariants() == nil)
    }

    @Test func insertReplacesAndReturnsTheOneBefore() {
        let census = Census()
        var map = Map()
        let old = Entry(Key(number: 1, kinds: 10), 1, census)
        let new = Entry(Key(number: 1, kinds: 10), 2, census)
        #expect(map.insert(old) == nil)
        #expect(map.insert(new) === old)
        #expect(map.count == 1)
        #expect(map.find(old.mapKey) === new)
        #expect(map.remove(old.mapKey) === new)
        #expect(map.isEmpty)
    }

    /// Every operation at random against a dictionary, with versions held, for keys that collide always, often, never.
    @Test(arguments: [(1, 40), (3, 60), (50, 400), (1_000_000, 30), (1_000_000, 3_000)])
    func randomOperationsAgreeWithADictionary(_ kinds: Int, _ range: Int) {
        var random = SeededGenerator.printed()
        let census = Census()
        do {
            var map = Map()
            var model: Model = [:]
            var held: [(Map, Model)] = []
            for step in 0..<6_000 {
                // Long stretches that grow and that shrink the map.
                let growing = (step / 1_000).isMultiple(of: 2)
                let key = Key(number: Int.random(in: 0..<range, using: &random), kinds: kinds)
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<(growing ? 6 : 2):
                    let entry = Entry(key, step, census)
                    #expect(map.insert(entry) === model.updateValue(entry, forKey: key))
                case 0..<8:
                    #expect(map.remove(key) === model.removeValue(forKey: key))
                default:
                    let found = map.update(key) { entry in
                        entry = Entry(key, entry.value + 1, census)
                        return entry
                    }
                    #expect((found == nil) == (model[key] == nil))
                    if let found { model[key] = found }
                }
                #expect(map.find(key) === model[key])
                #expect(map.count == model.count)
                if Int.random(in: 0..<40, using: &random) == 0 { held.append((map, model)) }
                if Int.random(in: 0..<80, using: &random) == 0, !held.isEmpty {
                    held.remove(at: Int.random(in: 0..<held.count, using: &random))
                }
                if step.isMultiple(of: 50) { #expect(map.checkInvariants() == nil) }
            }
            for (map, model) in held + [(map, model)] { verify(map, model) }
        }
        #expect(census.count == 0)
    }

    /// Older versions go on from where they are, too.
    @Test func branchesDoNotDisturbEachOther() {
        var random = SeededGenerator.printed()
        let census = Census()
        do {
            var versions: [(map: Map, model: Model)] = [(Map(), [:])]
            for step in 0..<4_000 {
                var (map, model) = versions[Int.random(in: 0..<versions.count, using: &random)]
                let key = Key(number: Int.random(in: 0..<500, using: &random), kinds: 200)
                if Bool.random(using: &random) {
                    let entry = Entry(key, step, census)
                    #expect(map.insert(entry) === model.updateValue(entry, forKey: key))
                } else {
                    #expect(map.remove(key) === model.removeValue(forKey: key))
                }
                if versions.count < 50 {
                    versions.append((map, model))
                } else {
                    versions[Int.random(in: 0..<versions.count, using: &random)] = (map, model)
                }
            }
            for (map, model) in versions { verify(map, model) }
        }
        #expect(census.count == 0)
    }

    @Test func largeMap() {
        let census = Census()
        do {
            var map = Map()
            for number in 0..<60_000 { map.insert(Entry(Key(number: number, kinds: .max), number, census)) }
            let full = map
            #expect(map.checkInvariants() == nil)
            for number in 0..<60_000 where number % 7 != 0 { map.remove(Key(number: number, kinds: .max)) }
            #expect(map.checkInvariants() == nil)
            #expect(map.count == 60_000 / 7 + 1)
            #expect(full.count == 60_000)
            #expect(Set(full.map(\.value)).count == 60_000)
            #expect(map.allSatisfy { $0.value % 7 == 0 })
        }
        #expect(census.count == 0)
    }

    @Test(arguments: [1, 1_000_000])
    func updateSeesAUniqueElementOnlyIfNothingElseHoldsIt(_ kinds: Int) {
        let census = Census()
        var map = Map()
        for number in 0..<200 { map.insert(Entry(Key(number: number, kinds: kinds), number, census)) }
        let key = Key(number: 77, kinds: kinds)
        #expect(map.update(key) { isKnownUniquelyReferenced(&$0) } == true)

        let held = map
        let old = held.find(key)
        #expect(map.update(key) { isKnownUniquelyReferenced(&$0) } == false)
        map.update(key) { $0 = Entry(key, -1, census) }
        #expect(held.find(key) === old)
        #expect(map.find(key)?.value == -1)
        // The path is this map's own now, and so is the element.
        #expect(map.update(key) { isKnownUniquelyReferenced(&$0) } == true)
        // Its neighbours are still those of both.
        #expect(map.update(Key(number: 78, kinds: kinds)) { isKnownUniquelyReferenced(&$0) } == false)
        #expect(map.checkInvariants() == nil)
        #expect(held.checkInvariants() == nil)
    }

    @Test(arguments: [false, true])
    func updateKeepsWhatWasPutInPlaceBeforeAnError(_ shared: Bool) {
        struct Failure: Error {}
        let census = Census()
        var map = Map()
        let key = Key(number: 1, kinds: 10)
        map.insert(Entry(key, 1, census))
        let held = shared ? map : Map()
        #expect(throws: Failure.self) {
            try map.update(key) { entry in
                entry = Entry(key, 2, census)
                throw Failure()
            }
        }
        #expect(map.find(key)?.value == 2)
        #expect(held.find(key)?.value == (shared ? 1 : nil))
    }

    private func verify(_ map: Map, _ model: Model) {
        #expect(map.checkInvariants() == nil)
        #expect(map.count == model.count)
        #expect(model.allSatisfy { map.find($0.key) === $0.value })
        var seen: Model = [:]
        for entry in map { #expect(seen.updateValue(entry, forKey: entry.mapKey) == nil) }
        #expect(seen.count == model.count)
        #expect(seen.allSatisfy { model[$0.key] === $0.value })
    }
}
