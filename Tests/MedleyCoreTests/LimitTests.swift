import JSONText
import Testing

@testable import MedleyCore

/// No change makes a collection larger than its limits, however small the change itself.
@Suite struct LimitTests {
    private func text(_ count: Int) -> [UInt8] { Array("\"\(String(repeating: "x", count: count))\"".utf8) }

    private func patch(_ name: String, _ action: JSONMergePatch.Action) -> JSONMergePatch {
        let name = Array(name.utf8)
        return JSONMergePatch(members: [.init(nameText: [34] + name + [34], name: name, action: action)])
    }

    @Test func aModelHasALimitHoweverItGrows() throws {
        let base = try Build.snapshot(["s": ["a"]])
        let half = Snapshot.maximumModelByteCount / 2
        let once = try base.after(.merge(["a"], ItemPatch(model: patch("p", .set(text(half))))))
        #expect(throws: ChangeError(.tooLarge, at: [.index(0)], subject: "a", limit: 1 << 20)) {
            try once.after(.merge(["a"], ItemPatch(model: patch("q", .set(text(half))))))
        }
        let large = Build.item("b", "\"p\":" + String(decoding: text(2 * half), as: UTF8.self))
        #expect(
            throws: ChangeError(.tooLarge, at: [.index(0), .member("items"), .index(0)], subject: "b", limit: 1 << 20)
        ) {
            try base.after(.insert([large], at: .last(in: nil)))
        }
    }

    @Test func ownMembersHaveALimit() throws {
        var snapshot = try Build.snapshot(["s": []])
        for number in 1..<Snapshot.maximumMembers {
            snapshot = try snapshot.applying([Change(.updateCollection(patch("m\(number)", .set([49]))))])
        }
        #expect(throws: ChangeError(.tooLarge, at: [.index(0), .member("set")], limit: 256)) {
            try snapshot.after(.updateCollection(patch("more", .set([49]))))
        }
        #expect(throws: ChangeError(.tooLarge, at: [.index(0), .member("set")], limit: 1 << 20)) {
            try Build.snapshot(["s": []]).after(
                .updateCollection(patch("m", .set(text(Snapshot.maximumMembersByteCount)))))
        }
    }

    @Test func removedNamesAreForgottenWithTheDeletions() throws {
        var snapshot = try Build.snapshot(["s": []])
        for number in 0..<20 {
            snapshot = try snapshot.applying([Change(.updateCollection(patch("m\(number)", .set([49]))))])
            snapshot = try snapshot.applying([Change(.updateCollection(patch("m\(number)", .remove)))])
            snapshot = snapshot.keepingDeletions(atMost: 5)
        }
        #expect(snapshot.header.removals.count == 5)
        // The last of the forgotten removals, that of m14, made revision 31.
        #expect(snapshot.oldestKnownNumber == 31)
        #expect(snapshot.list(since: 30) == nil)
        #expect(snapshot.list(since: 31)?.count == 1)
    }
}
