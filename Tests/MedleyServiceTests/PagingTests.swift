import Foundation
import HTTPCore
import Journal
import MedleyCore
import MedleyService
import Testing

@Suite struct PagingTests {
    static let mix = "/v1/collections/mix"

    /// All pages from a target on, following `Link`.
    private func pages(
        _ fixture: ServiceFixture, _ target: String, between: () async -> Void = {}
    ) async -> [Received] {
        var pages: [Received] = []
        var target: String? = target
        while let next = target, pages.count < 1_000 {
            let page = await fixture.send("GET", next)
            pages.append(page)
            #expect(page.status == 200, "\(page.text)")
            target = page.headers["Link"].map { link in
                #expect(link.hasPrefix("<") && link.hasSuffix(">; rel=\"next\""))
                return String(link.dropFirst().prefix { $0 != ">" })
            }
            if let next = page.object["next"] as? String {
                #expect(target?.hasSuffix("cursor=\(next)") == true)
            } else {
                #expect(target == nil)
            }
            await between()
        }
        return pages
    }

    @Test(arguments: 1...6)
    func pagesListEachItemOnceAndEachSection(limit: Int) async {
        let fixture = await ServiceFixture.withMix()
        let pages = await pages(fixture, "\(Self.mix)?limit=\(limit)")
        #expect(pages.flatMap { $0.sectionItems.flatMap(\.1) } == ["v1", "v2", "v3", "m1", "m2"])
        #expect(pages.count == (5 + limit - 1) / limit)
        for page in pages.dropLast() { #expect(page.sectionItems.map(\.1.count).reduce(0, +) == limit) }
        var listed: [String] = []
        for (section, _) in pages.flatMap(\.sectionItems) where listed.last != section { listed.append(section) }
        #expect(listed == ["video", "music", "later"])
    }

    @Test func aSectionGoesOnInTheNextPage() async {
        let fixture = await ServiceFixture.withMix()
        let pages = await pages(fixture, "\(Self.mix)?limit=2&models=none")
        #expect(pages.map { $0.sectionItems.map(\.0) } == [["video"], ["video", "music"], ["music", "later"]])
        #expect(pages[1].text.contains(#""items":[{"id":"v3","type":"shortVideo"}]"#))
        #expect(pages[0].headers["ETag"] == #""lineage1-1;limit=2&models=none""#)
    }

    @Test(arguments: ["type=music", "liked=true", "section=s4,s2", "type=video&section=s0&liked=false"])
    func filtersAndPagesCombine(filter: String) async {
        let fixture = await LargeCollection.fixture()
        let whole = await fixture.send("GET", "/v1/collections/large?\(filter)")
        let pages = await pages(fixture, "/v1/collections/large?limit=97&\(filter)")
        #expect(pages.flatMap { $0.sectionItems.flatMap(\.1) } == whole.sectionItems.flatMap(\.1))
        #expect(pages.dropLast().allSatisfy { $0.sectionItems.map(\.1.count).reduce(0, +) == 97 })
        #expect(Set(pages.flatMap { $0.sectionItems.map(\.0) }) == ["s0", "s1", "s2", "s3", "s4"])
    }

    @Test(arguments: [1, 10, 99, 1_000], ["liked=true", "type=video&section=s4,s2", "type=none"])
    func aPageEndsWhereEnoughWasLookedAt(lookedAt: Int, filter: String) async {
        let fixture = ServiceFixture { $0.limits.pageItemsLookedAt = lookedAt }
        _ = await fixture.send("PUT", "/v1/collections/large", [("Prefer", "return=minimal")], json: Self.short)
        let whole = await fixture.send("GET", "/v1/collections/large?\(filter)")
        let pages = await pages(fixture, "/v1/collections/large?limit=7&\(filter)")
        #expect(pages.flatMap { $0.sectionItems.flatMap(\.1) } == whole.sectionItems.flatMap(\.1))
        #expect(Set(pages.flatMap { $0.sectionItems.map(\.0) }) == ["s0", "s1", "s2", "s3", "s4"])
        #expect(lookedAt > 1 || pages.contains { $0.sectionItems.flatMap(\.1).isEmpty })
    }

    /// Sections of 40, 0, 1, 5 and 30 items, every third a video and every fourth liked.
    private static let short: String = {
        var number = 0
        let sections = [40, 0, 1, 5, 30].enumerated().map { index, count in
            let items = (0..<count).map { _ in
                number += 1
                let type = number % 3 == 0 ? "video" : "music"
                return #"{"id":"i\#(number)","type":"\#(type)","liked":\#(number % 4 == 0)}"#
            }
            return #"{"id":"s\#(index)","items":[\#(items.joined(separator: ","))]}"#
        }
        return #"{"sections":[\#(sections.joined(separator: ","))]}"#
    }()

    @Test func writesBetweenPagesNeitherSkipNorRepeat() async throws {
        let fixture = await LargeCollection.fixture()
        let seed = ProcessInfo.processInfo.environment["MEDLEY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(state: seed)
        let before = await fixture.send("GET", "/v1/collections/large")
        let pages = await pages(fixture, "/v1/collections/large?limit=100") {
            let id = Int.random(in: 1...1_706, using: &random)
            let anchor = id == 1_000 ? 1 : 1_000
            _ = await fixture.send(
                "PATCH", "/v1/collections/large",
                json: #"{"changes":[{"op":"move","ids":["i\#(id)"],"after":"i\#(anchor)","ifMissing":"ignore"},"#
                    + #"{"op":"insert","items":[{"type":"music"}],"after":null},"#
                    + #"{"op":"delete","ids":["i\#(1 + id % 999)"],"ifMissing":"ignore"}]}"#)
        }
        #expect(pages.flatMap { $0.sectionItems.flatMap(\.1) } == before.sectionItems.flatMap(\.1))
        #expect(Set(pages.map { $0.headers["Revision"] }) == ["lineage1-1"])
        #expect(fixture.library.snapshot(of: "large")?.revision.number == UInt64(pages.count + 1))
    }

    @Test func aCursorLastsWhileItIsUsed() async throws {
        let fixture = await ServiceFixture.withMix { $0.limits.heldSeconds = 100 }
        let first = await fixture.send("GET", "\(Self.mix)?limit=1")
        let cursor = try #require(first.object["next"] as? String)
        _ = await fixture.send("DELETE", "\(Self.mix)/items/v2")
        for _ in 0..<3 {
            fixture.clock.advance(by: 60)
            let page = await fixture.send("GET", "\(Self.mix)?limit=1&cursor=\(cursor)")
            #expect(page.sectionItems.flatMap(\.1) == ["v2"])
        }
        fixture.clock.advance(by: 101)
        let gone = await fixture.send("GET", "\(Self.mix)?limit=1&cursor=\(cursor)")
        #expect((gone.status, gone.code) == (410, "cursor-gone"))
        #expect(gone.object["current"] as? String == "lineage1-2")
        #expect(gone.headers["Cache-Control"] == "no-store")
    }

    @Test func aCursorOfTheCurrentRevisionNeedsNoHeldSnapshot() async throws {
        let fixture = await ServiceFixture.withMix()
        let first = await fixture.send("GET", "\(Self.mix)?limit=4")
        let cursor = try #require(first.object["next"] as? String)
        fixture.clock.advance(by: 1_000_000)
        let page = await fixture.send("GET", "\(Self.mix)?cursor=\(cursor)")
        #expect(page.sectionItems.flatMap(\.1) == ["m2"])
    }

    @Test func theHeldSnapshotsAreBounded() async throws {
        let fixture = await ServiceFixture.withMix { $0.limits.heldSnapshots = 2 }
        var cursors: [String] = []
        for _ in 0..<4 {
            let page = await fixture.send("GET", "\(Self.mix)?limit=1")
            cursors.append(try #require(page.object["next"] as? String))
            _ = await fixture.send("PATCH", "\(Self.mix)/items/v3", json: #"{"n":\#(cursors.count)}"#)
        }
        var statuses: [Int] = []
        for cursor in cursors { statuses.append(await fixture.send("GET", "\(Self.mix)?cursor=\(cursor)").status) }
        #expect(statuses == [410, 410, 200, 200])
    }

    @Test func theHeldBytesAreBounded() async throws {
        let fixture = await ServiceFixture.withMix { $0.limits.heldBytes = 1 }
        let first = await fixture.send("GET", "\(Self.mix)?limit=1")
        _ = await fixture.send("DELETE", "\(Self.mix)/items/v3")
        let second = await fixture.send("GET", "\(Self.mix)?limit=1")
        _ = await fixture.send("DELETE", "\(Self.mix)/items/v2")
        for (page, status) in [(first, 410), (second, 200)] {
            let cursor = try #require(page.object["next"] as? String)
            #expect(await fixture.send("GET", "\(Self.mix)?limit=1&cursor=\(cursor)").status == status)
        }
    }

    @Test func aCursorIsForItsQueryAndCollectionOnly() async throws {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PUT", "/v1/collections/other", json: ServiceFixture.mix)
        let page = await fixture.send("GET", "\(Self.mix)?limit=1&type=video")
        let cursor = try #require(page.object["next"] as? String)
        #expect(await fixture.send("GET", "\(Self.mix)?limit=1&type=video&cursor=\(cursor)").status == 200)
        #expect(await fixture.send("GET", "\(Self.mix)?limit=2&type=video&cursor=\(cursor)").status == 200)
        for target in [
            "\(Self.mix)?limit=1&cursor=\(cursor)", "\(Self.mix)?limit=1&type=music&cursor=\(cursor)",
            "/v1/collections/other?limit=1&type=video&cursor=\(cursor)",
            "\(Self.mix)?limit=1&type=video&cursor=\(cursor.dropLast())0",
            "\(Self.mix)?limit=1&type=video&cursor=\(cursor)00", "\(Self.mix)?limit=1&type=video&cursor=",
        ] {
            let received = await fixture.send("GET", target)
            #expect((received.status, received.code) == (400, "invalid-query"), "\(target)")
        }
    }

    @Test func aHugeLimitCountsAsTheMost() async {
        let fixture = await ServiceFixture.withMix { $0.limits.pageItems = 2 }
        for limit in ["3", "99999999999999999999999999"] {
            let page = await fixture.send("GET", "\(Self.mix)?limit=\(limit)")
            #expect(page.sectionItems.flatMap(\.1) == ["v1", "v2"])
        }
    }

    @Test func aPageIsNotTakenForTheWholeAndItsCursorIsNoMember() async {
        let fixture = await ServiceFixture.withMix()
        let page = await fixture.send("GET", "\(Self.mix)?limit=4")
        #expect(page.object["next"] is String)
        let before = await fixture.state
        let put = await fixture.send("PUT", Self.mix, json: page.text)
        #expect((put.status, put.code) == (400, "invalid-change"))
        #expect(put.object["pointer"] as? String == "/next")
        #expect(await fixture.state == before)
        let patch = await fixture.send(
            "PATCH", Self.mix, json: #"{"changes":[{"op":"updateCollection","set":{"next":1}}]}"#)
        #expect(patch.object["pointer"] as? String == "/changes/0/set/next")
        #expect((400...422).contains(patch.status))
    }
}
