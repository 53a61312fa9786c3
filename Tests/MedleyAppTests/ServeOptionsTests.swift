import Testing

@testable import MedleyApp

@Suite struct ServeOptionsTests {
    private func options(
        _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) throws(ServeOptions.UsageError) -> ServeOptions {
        try ServeOptions(arguments: arguments, environment: environment, cores: 4)
    }

    @Test func theDefaultsKeepCollectionsOnLoopback() throws {
        let options = try options()
        #expect(options.data == "./medley-data")
        #expect(options.listen == "127.0.0.1:8080")
        #expect(options.history == 30 * 86_400)
        #expect(options.loops == 4)
        #expect(!options.sample)
    }

    @Test(
        arguments: [
            ([], [:], "./medley-data"), (["--data", "d"], [:], "d"), (["--data=d"], [:], "d"), (["--memory"], [:], nil),
            ([], ["MEDLEY_DATA": "d"], "d"), ([], ["MEDLEY_MEMORY": "1"], nil),
            ([], ["MEDLEY_DATA": "d", "MEDLEY_MEMORY": "true"], nil), (["--memory"], ["MEDLEY_DATA": "d"], nil),
            (["--data", "e"], ["MEDLEY_DATA": "d"], "e"), (["--data", "e"], ["MEDLEY_MEMORY": "1"], "e"),
        ] as [([String], [String: String], String?)])
    func argumentsComeBeforeVariables(_ arguments: [String], _ environment: [String: String], _ data: String?) throws {
        #expect(try options(arguments, environment).data == data)
    }

    @Test(arguments: [("30d", 2_592_000), ("1h", 3_600), ("36h", 129_600)] as [(String, Double)])
    func historyIsInDaysOrHours(_ text: String, _ seconds: Double) throws {
        #expect(try options(["--history", text]).history == seconds)
        #expect(try options([], ["MEDLEY_HISTORY": text]).history == seconds)
    }

    @Test(arguments: [
        ["--history", "30"], ["--history", "0d"], ["--history", "-1d"], ["--history", "1w"], ["--history"], ["--data"],
        ["--data", ""], ["--data="], ["--data", "d", "--memory"], ["--memory", "--data", "d"], ["--memory=1"],
        ["--loops", "0"], ["--what"],
    ])
    func mistakesAreRefused(_ arguments: [String]) {
        #expect(throws: ServeOptions.UsageError.self) { try options(arguments) }
    }
}
