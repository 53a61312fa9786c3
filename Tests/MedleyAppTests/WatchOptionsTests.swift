import MedleyApp
import MedleyClient
import MedleyCore
import Testing

@Suite struct WatchOptionsTests {
    private static let url = "http://h/v1/collections/mix"

    @Test func theURLStandsAnywhereAmongTheOptions() throws {
        #expect(try WatchOptions([Self.url]).since == nil)
        #expect(try !WatchOptions([Self.url]).isJSON)
        for arguments in [["--json", "--since", "a-1", Self.url], [Self.url, "--since=a-1", "--json"]] {
            let options = try WatchOptions(arguments)
            #expect(options.url.description == Self.url && options.isJSON && options.since == Revision("a-1"))
        }
    }

    @Test(arguments: [
        ([], "which collection"), (["http://h/"], "no collection named"), ([url, url], "one collection at a time"),
        ([url, "--since"], "--since needs a value"), ([url, "--since", "7"], "--since takes a revision"),
        ([url, "--follow"], "unknown option --follow"), ([url, "--json=1"], "unknown option --json=1"),
    ])
    func mistakesAreRefused(_ arguments: [String], message: String) {
        let error = #expect(throws: WatchOptions.UsageError.self) { try WatchOptions(arguments) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
