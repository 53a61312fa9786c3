import Foundation
import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// Real feeds, which are not part of the project; see `SharedDataTests`.
@Suite struct SharedFeedTests {
    static func feed(_ name: String) -> XMLReading { XMLReading(path: SharedDataTests.path("podcast-\(name).xml")) }
    static func exists(_ name: String) -> Bool { SharedDataTests.exists("podcast-\(name).xml") }

    @Test(
        .enabled(if: exists("2018-01-20-Intercepted") && exists("2018-02-03-Intercepted"), "no feeds in ../shared/data")
    )
    func aFeedsSecondStateDiffersInWhatIsNewOrChanged() throws {
        let (first, second) = (Self.feed("2018-01-20-Intercepted"), Self.feed("2018-02-03-Intercepted"))
        for reading in [first, second] {
            #expect(reading.error == nil && reading.refusals.isEmpty && reading.notices.isEmpty, "\(reading.notices)")
            #expect(Set(reading.types) == ["music"])
            for name in ["title", "url", "duration", "publishedAt", "description"] {
                #expect(reading.items.allSatisfy { $0.content.model.value(of: name) != nil }, "\(name)")
            }
        }
        #expect(first.items.count == 43 && second.items.count == 47)
        #expect(first.sections == second.sections)
        let before = Dictionary(uniqueKeysWithValues: first.items.map { ($0.content.id, $0.content.model) })
        let new = second.items.filter { before[$0.content.id] == nil }
        #expect(
            new.map { "\($0.content.id)" } == [
                "53934cc4-0712-11e8-929c-1bcc1b677578", "366e5f2a-fb38-11e7-847d-3709dcd25861",
                "366970c8-fb38-11e7-847d-5376b55355c7", "51eff276-fe3b-11e7-bfff-f76c738c2592",
            ])
        // The publisher has put a new `updated` into the address of every older episode, and done nothing else.
        for item in second.items {
            guard let old = before[item.content.id] else { continue }
            let changed = item.content.model.filter { old.value(of: $0.name.string) != $0.value }.map(\.name.string)
            #expect(changed == ["url"] && old.count { _ in true } == item.content.model.count { _ in true })
        }
        #expect(Set(before.keys).isSubset(of: second.items.map(\.content.id)))
    }

    @Test(.enabled(if: exists("2018-01-20-TheTipOff"), "no feeds in ../shared/data"))
    func readsAFeedWithMixedLineEnds() {
        let reading = Self.feed("2018-01-20-TheTipOff")
        #expect(reading.error == nil && reading.refusals.isEmpty && reading.notices.isEmpty, "\(reading.notices)")
        #expect(reading.items.count == 14)
        #expect(reading.items.count { $0.content.model.value(of: "season") != nil } == 4)
    }

    @Test(.enabled(if: exists("de-grote-no-guid"), "no feeds in ../shared/data"))
    func readsAFeedWithoutIDsAndDeclarations() {
        let reading = Self.feed("de-grote-no-guid")
        #expect(reading.error == nil && reading.refusals.isEmpty && reading.notices.isEmpty, "\(reading.notices)")
        #expect(reading.items.count == 12)
        #expect(reading.ids.allSatisfy { $0.hasPrefix("https://") })
        #expect(reading.items.map(\.content.id) == Self.feed("de-grote-no-guid").items.map(\.content.id))
        #expect(reading.member("episode") == "10" && reading.member("duration") == "2047")
    }
}
