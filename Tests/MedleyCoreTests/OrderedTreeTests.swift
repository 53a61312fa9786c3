import Synchronization
import Testing

@testable import MedleyCore

private struct Pair: OrderedTreeElement, Equatable {
    let orderKey: Int
    let value: Int
}

private struct Boxed: OrderedTreeElement {
    final class Box: Sendable {
        let key: Int
        init(_ key: Int) { self.key = key }
    }

    let box: Box
    var orderKey: Int { box.key }
}

private typealias Tree = OrderedTree<Pair>

private final class Text: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
}

@Suite struct OrderedTreeTests {
    @Test func emptyTree() {
        var tree = Tree()
        #expect(tree.isEmpty)
        #expect(tree.first == nil && tree.last == nil)
        #expect(tree.find(1) == nil && tree.index(of: 1) == nil)
        #expect(tree.indexOfFirst(notBefore: 1) == 0)
        #expect(tree.element(before: 1) == nil && tree.element(after: 1) == nil)
        #expect(tree.remove(1) == nil)
        #expect(Array(tree).isEmpty)
        #expect(tree.checkInvariants() == nil)
        #expect(Tree(sorted: []).checkInvariants() == nil)
    }

    /// Every operation at random against a sorted array, with versions held.
    @Test(arguments: [20, 400, 3_000, 100_000])
    func randomOperationsAgreeWithASortedArray(_ range: Int) {
        var random = SeededGenerator.printed()
        var tree = Tree()
        var model: [Pair] = []
        var held: [(Tree, [Pair])] = []
        for step in 0..<20_000 {
            let growing = (step / 4_000).isMultiple(of: 2)
            let key = Int.random(in: 0..<range, using: &random) * 10
            let rank = lowerBound(model, key)
            let exists = rank < model.count && model[rank].orderKey == key
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<(growing ? 6 : 1):
                if exists { continue }
                tree.insert(Pair(orderKey: key, value: step))
                model.insert(Pair(orderKey: key, value: step), at: rank)
            case 0..<8:
                // Often a key that is there.
                let there = model.isEmpty || Int.random(in: 0..<4, using: &random) == 0 ? nil : model.indices
                let index = there.map { Int.random(in: $0, using: &random) }
                let removed = tree.remove(index.map { model[$0].orderKey } ?? key)
                #expect(removed == (index ?? (exists ? rank : nil)).map { model.remove(at: $0) })
            case 8:
                guard !model.isEmpty else { continue }
                let index = Int.random(in: 0..<model.count, using: &random)
                let old = model[index].orderKey
                let next = index + 1 < model.count ? model[index + 1].orderKey : old + 10
                let before = index > 0 ? model[index - 1].orderKey : old - 10
                let new = Pair(orderKey: Int.random(in: before + 1..<next, using: &random), value: step)
                tree.replace(old, with: new)
                model[index] = new
            default:
                verifyLookups(tree, model, key + Int.random(in: -1...1, using: &random), &random)
            }
            #expect(tree.count == model.count)
            if Int.random(in: 0..<300, using: &random) == 0 { held.append((tree, model)) }
            if step.isMultiple(of: 200) { #expect(tree.checkInvariants() == nil) }
        }
        for (tree, model) in held + [(tree, model)] {
            #expect(tree.checkInvariants() == nil)
            #expect(tree.elementsEqual(model))
        }
    }

    /// Removing everything in different orders keeps the tree in shape all the way down.
    @Test(arguments: ["ascending", "descending", "random", "from the middle"])
    func removingEverything(_ order: String) {
        var random = SeededGenerator.printed()
        let count = 6_000
        var tree = Tree()
        for key in (0..<count).shuffled(using: &random) { tree.insert(Pair(orderKey: key, value: key)) }
        let full = tree
        var keys = Array(0..<count)
        switch order {
        case "descending": keys.reverse()
        case "random": keys.shuffle(using: &random)
        case "from the middle": keys = Array(keys[2_000..<5_000] + keys[0..<2_000] + keys[5_000...])
        default: break
        }
        for (step, key) in keys.enumerated() {
            #expect(tree.remove(key)?.value == key)
            if step.isMultiple(of: 50) { #expect(tree.checkInvariants() == nil) }
        }
        #expect(tree.isEmpty && tree.checkInvariants() == nil)
        #expect(full.map(\.value).elementsEqual(0..<count))
    }

    @Test(arguments: [1, 105, 106, 120, 121, 5_000, 60_000])
    func sortedElementsMakeAFullTree(_ count: Int) {
        var tree = Tree(sorted: (0..<count).lazy.map { Pair(orderKey: $0, value: -$0) })
        #expect(tree.checkInvariants() == nil)
        #expect(tree.map(\.orderKey).elementsEqual(0..<count))
        #expect(leafSizes(tree).dropLast().allSatisfy { $0 == Tree.leafCapacity / 8 * 7 })
        tree.insert(Pair(orderKey: count, value: 0))
        tree.insert(Pair(orderKey: -1, value: 0))
        #expect(tree.checkInvariants() == nil)
        #expect(tree.map(\.orderKey).elementsEqual(-1...count))
    }

    /// Appending leaves full leaves behind, also when what was appended last is taken out again and again.
    @Test(arguments: [false, true])
    func appendingLeavesFullLeaves(_ held: Bool) {
        var tree = Tree()
        var versions: [Tree] = []
        for key in 0..<20_000 {
            tree.insert(Pair(orderKey: key, value: key))
            if key % 100 == 7 { tree.remove(key - 3) }
            if held { versions = [tree] }
        }
        #expect(tree.checkInvariants() == nil)
        let sizes = leafSizes(tree)
        #expect(sizes.reduce(0, +) == tree.count)
        #expect(sizes.count <= tree.count / (Tree.leafCapacity - 4) + 2)
        #expect(versions.allSatisfy { $0.checkInvariants() == nil })
    }

    @Test func iteratorsAreValues() {
        var tree = Tree(sorted: (0..<3_000).map { Pair(orderKey: $0, value: $0) })
        for start in [0, 1, 104, 105, 106, 2_999, 3_000] {
            var iterator = tree.makeIterator(from: start)
            let copy = iterator
            var seen: [Int] = []
            while let element = iterator.next() { seen.append(element.value) }
            #expect(seen.elementsEqual(start..<3_000))
            #expect(iterator.next() == nil)
            #expect(IteratorSequence(copy).map(\.value) == seen)
        }
        // A walk sees the tree as it was.
        let walk = tree.makeIterator(from: 100)
        for key in 0..<3_000 where key % 2 == 0 { tree.remove(key) }
        #expect(IteratorSequence(walk).map(\.value).elementsEqual(100..<3_000))
    }

    @Test func elementsThatAreReferences() {
        var random = SeededGenerator.printed()
        var tree = OrderedTree<Boxed>()
        var versions: [OrderedTree<Boxed>] = []
        for key in (0..<2_000).shuffled(using: &random) {
            tree.insert(Boxed(box: Boxed.Box(key)))
            if key % 50 == 0 { versions.append(tree) }
        }
        weak let weakBox = tree.first?.box
        for key in (0..<2_000).shuffled(using: &random) { tree.remove(key) }
        #expect(tree.isEmpty)
        #expect(versions.allSatisfy { $0.checkInvariants() == nil })
        #expect(weakBox != nil)
        versions = []
        #expect(weakBox == nil)
    }

    @Test func attachmentsAreMadeOnceForEachLeaf() {
        let tree = Tree(sorted: (0..<1_000).map { Pair(orderKey: $0, value: $0) })
        let made = Mutex(0)
        func encode(_ tree: Tree) -> String {
            var index = 0
            var text = ""
            while index < tree.count {
                let view = tree.leafView(at: index)
                #expect(view.startIndex == index)
                #expect(view.count == view.elements.count)
                text +=
                    view.attachment {
                        made.withLock { $0 += 1 }
                        return Text(view.elements.map { "\($0.value)," }.joined())
                    }.text
                index += view.count
            }
            return text
        }
        func expected(_ tree: Tree) -> String { tree.map { "\($0.value)," }.joined() }

        let leaves = leafSizes(tree).count
        #expect(encode(tree) == expected(tree))
        #expect(encode(tree) == expected(tree))
        #expect(made.withLock { $0 } == leaves)

        // A change makes one leaf anew, and the version before keeps its own.
        var next = tree
        next.remove(500)
        #expect(encode(next) == expected(next))
        #expect(encode(tree) == expected(tree))
        #expect(made.withLock { $0 } == leaves + 1)

        // So does a change in place.
        for change in 0..<3 {
            switch change {
            case 0: next.insert(Pair(orderKey: 500, value: -1))
            case 1: next.replace(500, with: Pair(orderKey: 500, value: -2))
            default: next.remove(501)
            }
            #expect(encode(next) == expected(next))
            #expect(made.withLock { $0 } == leaves + 2 + change)
        }
        // An index within a leaf gives the same leaf.
        let second = tree.leafView(at: 0).count
        let third = second + tree.leafView(at: second).count
        #expect(tree.leafView(at: second + 1).startIndex == second)
        #expect(tree.leafView(at: third - 1).startIndex == second)
    }

    @Test func threadsShareOneAttachment() async {
        let tree = Tree(sorted: (0..<100).map { Pair(orderKey: $0, value: $0) })
        let texts = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for number in 0..<16 {
                group.addTask { ObjectIdentifier(tree.leafView(at: 50).attachment { Text("\(number)") }) }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
    }

    private func verifyLookups(_ tree: Tree, _ model: [Pair], _ key: Int, _ random: inout SeededGenerator) {
        let rank = lowerBound(model, key)
        let exists = rank < model.count && model[rank].orderKey == key
        #expect(tree.indexOfFirst(notBefore: key) == rank)
        #expect(tree.index(of: key) == (exists ? rank : nil))
        #expect(tree.find(key) == (exists ? model[rank] : nil))
        #expect(tree.element(before: key) == (rank > 0 ? model[rank - 1] : nil))
        let after = exists ? rank + 1 : rank
        #expect(tree.element(after: key) == (after < model.count ? model[after] : nil))
        #expect(tree.first == model.first && tree.last == model.last)
        guard !model.isEmpty else { return }
        let index = Int.random(in: 0..<model.count, using: &random)
        #expect(tree[index] == model[index])
        var iterator = tree.makeIterator(from: index)
        #expect(iterator.next() == model[index])
        let view = tree.leafView(at: index)
        #expect(view.elements.elementsEqual(model[view.startIndex..<view.startIndex + view.count]))
        #expect((view.startIndex..<view.startIndex + view.count).contains(index))
    }

    private func leafSizes(_ tree: Tree) -> [Int] {
        var sizes: [Int] = []
        var index = 0
        while index < tree.count {
            sizes.append(tree.leafView(at: index).count)
            index += tree.leafView(at: index).count
        }
        return sizes
    }

    private func lowerBound(_ model: [Pair], _ key: Int) -> Int {
        var (low, high) = (0, model.count)
        while low < high {
            let middle = (low + high) / 2
            if model[middle].orderKey < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
