import MedleyCore

/// A collection that is too large for one piece.
enum LargeCollection {
    /// Sections of 1,000, 0, 1, 5 and 700 items, of three types, every third liked.
    static let json: String = {
        var number = 0
        let sections = [1_000, 0, 1, 5, 700].enumerated().map { index, count in
            let items = (0..<count).map { _ in
                number += 1
                let type = ["music", "video", "shortVideo"][number % 3]
                return
                    #"{"id":"i\#(number)","type":"\#(type)","liked":\#(number % 3 == 1),"title":"Item number \#(number)","#
                    + #""artist":"The Lantern Keepers","size":1.10}"#
            }
            return #"{"id":"s\#(index)","title":"Section \#(index)","items":[\#(items.joined(separator: ","))]}"#
        }
        return #"{"id":"large","title":"Large","revision":"lineage1-1","counts":{"sections":5,"items":1706},"#
            + #""types":{"music":568,"shortVideo":569,"video":569},"sections":[\#(sections.joined(separator: ","))]}"#
    }()

    /// 10,000 items in one section, of which the 5,000th is liked and the only video.
    static let sparse: String = {
        let items = (1...10_000).map { number in
            number == 5_000 ? #"{"id":"i5000","type":"video","liked":true}"# : #"{"id":"i\#(number)","type":"music"}"#
        }
        return #"{"sections":[{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#
    }()

    static func fixture() async -> ServiceFixture {
        let fixture = ServiceFixture()
        _ = await fixture.send("PUT", "/v1/collections/large", [("Prefer", "return=minimal")], json: json)
        return fixture
    }
}
