import MedleyJSON
import Testing

@Suite struct KnownMemberTests {
    static let accepted: [(KnownMember, String)] = [
        (.title, #""""#), (.artist, #""a""#), (.album, #""\u0061""#), (.creator, #""x""#), (.description, #""x""#),
        (.url, #""https://example.com/a?b#c""#), (.url, #""HTTP://x""#), (.url, #""urn:isbn:0451450523""#),
        (.url, #""data:,x""#), (.url, #""spotify:track:1""#), (.url, #""https:\/\/example.com\/a""#),
        (.artworkURL, #""https://example.com/\u00e9.png""#), (.artworkURL, #""a+b-c.1:x""#),
        (.url, #""http://[::1]:80/""#), (.url, #""file:///a""#),
        (.duration, "0"), (.duration, "-0"), (.duration, "-0.00e7"), (.duration, "1e400"), (.duration, "215.5"),
        (.publishedAt, #""1970-11-09T00:00:00Z""#), (.publishedAt, #""1970-11-09t23:59:59.123456789z""#),
        (.publishedAt, #""2024-02-29T12:00:00+05:30""#), (.publishedAt, #""2000-02-29T12:00:00-00:00""#),
        (.publishedAt, #""2016-12-31T23:59:60Z""#), (.publishedAt, #""2016-12-31T15:59:60-08:00""#),
        (.publishedAt, #""2017-01-01T08:59:60+09:00""#), (.publishedAt, #""0000-01-01T00:00:00Z""#),
        (.publishedAt, #""1970-11-09\u005400:00:00Z""#), (.publishedAt, #""2023-04-30T00:00:00+23:59""#),
    ]

    @Test(arguments: accepted)
    func accepts(_ member: KnownMember, _ value: String) {
        #expect(member.accepts(Array(value.utf8)[...]))
    }

    static let refused: [(KnownMember, String)] = [
        (.title, "null"), (.artist, "1"), (.album, "[]"), (.creator, "{}"), (.description, "false"),
        (.url, "null"), (.url, "1"), (.url, #""""#), (.url, #""example.com""#), (.url, #""//example.com/a""#),
        (.url, #""/a""#), (.url, #"":x""#), (.url, #""https:""#), (.url, #""1a:x""#), (.url, #""a_b:x""#),
        (.url, #""https://exa mple.com""#), (.url, #""https://a/\u0000""#), (.url, #""https://a/\t""#),
        (.url, #""https://a/\u007f""#), (.url, #""https://a/\u0085""#), (.url, #"" https://a""#),
        (.url, #""https:a""#), (.url, #""https:///a""#), (.url, #""http://""#), (.url, #""é:x""#),
        (.url, #""http://:80/""#), (.artworkURL, #""cover.png""#),
        (.duration, "null"), (.duration, #""1""#), (.duration, "-1"), (.duration, "-0.001"), (.duration, "-1e-9"),
        (.duration, "true"), (.duration, "[1]"),
        (.publishedAt, "0"), (.publishedAt, #""""#), (.publishedAt, #""1970-11-09""#),
        (.publishedAt, #""1970-11-09T00:00:00""#), (.publishedAt, #""1970-11-09 00:00:00Z""#),
        (.publishedAt, #""1970-11-09T00:00Z""#), (.publishedAt, #""1970-11-09T00:00:00.Z""#),
        (.publishedAt, #""1970-11-09T00:00:00+0100""#), (.publishedAt, #""1970-11-09T00:00:00+01""#),
        (.publishedAt, #""1970-11-09T00:00:00+24:00""#), (.publishedAt, #""1970-11-09T00:00:00-01:60""#),
        (.publishedAt, #""1970-13-09T00:00:00Z""#), (.publishedAt, #""1970-00-09T00:00:00Z""#),
        (.publishedAt, #""1970-11-31T00:00:00Z""#), (.publishedAt, #""1970-11-00T00:00:00Z""#),
        (.publishedAt, #""2023-02-29T00:00:00Z""#), (.publishedAt, #""1900-02-29T00:00:00Z""#),
        (.publishedAt, #""1970-11-09T24:00:00Z""#), (.publishedAt, #""1970-11-09T00:60:00Z""#),
        (.publishedAt, #""1970-11-09T00:00:61Z""#), (.publishedAt, #""1970-11-09T00:00:60Z""#),
        (.publishedAt, #""2016-12-31T23:59:60-08:00""#), (.publishedAt, #""70-11-09T00:00:00Z""#),
        (.publishedAt, #""1970-11-09T00:00:00Zx""#), (.publishedAt, #""１970-11-09T00:00:00Z""#),
        (.publishedAt, #""+1970-11-09T00:00:00Z""#),
    ]

    @Test(arguments: refused)
    func refuses(_ member: KnownMember, _ value: String) {
        #expect(!member.accepts(Array(value.utf8)[...]))
    }

    @Test(arguments: KnownMember.allCases)
    func isFoundByItsName(_ member: KnownMember) {
        #expect(KnownMember(utf8: Array(member.rawValue.utf8)[...]) == member)
        #expect(KnownMember(utf8: Array(member.rawValue.uppercased().utf8)[...]) == nil)
        #expect(KnownMember(utf8: Array((member.rawValue + "x").utf8)[...]) == nil)
        #expect(member.requirement.hasPrefix(member.rawValue))
    }
}
