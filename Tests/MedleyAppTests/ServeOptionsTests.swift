import HTTPCore
import Journal
import MedleyService
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
        #expect(options.tokenFile == nil)
        #expect(options.firstToken == nil)
        #expect(options.anonymous == nil)
        #expect(options.hosts.isEmpty && options.origins.isEmpty)
        #expect(options.accessLog == .plain)
    }

    @Test(arguments: ServeOptions.AccessLogForm.allCases)
    func theAccessLogHasAForm(_ form: ServeOptions.AccessLogForm) throws {
        #expect(try options(["--access-log", form.rawValue]).accessLog == form)
        #expect(try options([], ["MEDLEY_ACCESS_LOG": form.rawValue]).accessLog == form)
        #expect(try options(["--access-log=\(form.rawValue)"], ["MEDLEY_ACCESS_LOG": "off"]).accessLog == form)
        #expect(try options([], ["MEDLEY_ACCESS_LOG": ""]).accessLog == .plain)
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

    @Test func tlsAndProxiesAreSaidByArgumentsOrVariables() throws {
        let byArguments = try options([
            "--tls-cert", "c", "--tls-key=k", "--trust-proxy", "10.0.0.0/8", "--trust-proxy", "loopback",
        ])
        let byVariables = try options(
            [],
            ["MEDLEY_TLS_CERT": "c", "MEDLEY_TLS_KEY": "k", "MEDLEY_TRUST_PROXY": "10.0.0.0/8,loopback"])
        #expect(byArguments == byVariables)
        #expect(byArguments.tlsCertificate == "c" && byArguments.tlsKey == "k")
        for (address, isTrusted) in [("10.9.8.7", true), ("127.0.0.1", true), ("::1", true), ("11.0.0.1", false)] {
            #expect(try byArguments.proxies.contains(#require(NetworkAddress(address))) == isTrusted)
        }
        let empty = try options([], ["MEDLEY_TLS_CERT": "", "MEDLEY_TLS_KEY": "", "MEDLEY_TRUST_PROXY": ""])
        #expect(try empty == options())
    }

    @Test(arguments: [
        ["--tls-cert", "c"], ["--tls-key", "k"], ["--tls-cert", "", "--tls-key", "k"], ["--trust-proxy", "nginx"],
        ["--trust-proxy", "10.0.0.0/33"], ["--trust-proxy", "::/129"], ["--trust-proxy", "10.0.0/8"],
        ["--trust-proxy", ""],
    ])
    func mistakesInTLSAndProxiesAreRefused(_ arguments: [String]) {
        #expect(throws: ServeOptions.UsageError.self) { try options(arguments) }
    }

    @Test func limitsAreChosenByArgumentsOrVariables() throws {
        #expect(try options().limits == ServeLimits())
        let byArguments = try options([
            "--rate", "5", "--max-body=16M", "--max-collections", "7", "--max-items", "3000000",
        ]).limits
        #expect(byArguments.rate == 5 && byArguments.bodyBytes == 16 << 20)
        #expect(byArguments.collections == 7 && byArguments.items == 3_000_000)
        let variables = [
            "MEDLEY_RATE": "5", "MEDLEY_MAX_BODY": "16777216", "MEDLEY_MAX_COLLECTIONS": "7",
            "MEDLEY_MAX_ITEMS": "3000000",
        ]
        #expect(try options([], variables).limits == byArguments)
        #expect(try options(["--rate", "0"], variables).limits.rate == 0)
    }

    @Test(arguments: ["1K", "64M", "1G"])
    func twoBodiesOfTheLargestSizeHaveRoom(_ size: String) throws {
        var (limits, commits) = (ServiceLimits(), Committer.Limits())
        try options(["--max-body", size]).limits.apply(to: &limits, &commits)
        #expect(limits.arrivingBytes >= 2 * limits.bodyBytes && limits.editBytes >= 2 * limits.bodyBytes)
        #expect(limits.editBytes >= ServiceLimits().editBytes)
    }

    @Test(arguments: [
        ["--rate", "-1"], ["--rate", ""], ["--rate", "1.5"], ["--max-body", "0"], ["--max-body", "2G"],
        ["--max-body", "16MB"], ["--max-body", "M"], ["--max-body", "99999999999999999999"], ["--max-items", "0"],
        ["--max-collections", "x"],
    ])
    func aLimitIsANumberInItsRange(_ arguments: [String]) {
        let error = #expect(throws: ServeOptions.UsageError.self) { try options(arguments) }
        #expect(error?.message.hasPrefix(arguments[0] + " takes ") == true)
        let variable = "MEDLEY_" + arguments[0].dropFirst(2).uppercased().replacing("-", with: "_")
        if !arguments[1].isEmpty {
            let error = #expect(throws: ServeOptions.UsageError.self) { try options([], [variable: arguments[1]]) }
            #expect(error?.message.hasPrefix(variable + " takes ") == true)
        }
    }

    @Test func whoMayIsSaidByArgumentsOrVariables() throws {
        let byArguments = try options([
            "--token-file", "t", "--first-token=admin", "--allow-anonymous", "write", "--host", "a.example", "--host",
            "b",
            "--cors-origin", "https://A.example:8443", "--cors-origin", "*",
        ])
        let byVariables = try options(
            [],
            [
                "MEDLEY_TOKEN_FILE": "t", "MEDLEY_FIRST_TOKEN": "admin", "MEDLEY_ALLOW_ANONYMOUS": "write",
                "MEDLEY_HOST": "a.example,b", "MEDLEY_CORS_ORIGIN": "https://A.example:8443,*",
            ])
        #expect(byArguments == byVariables)
        #expect(byArguments.tokenFile == "t")
        #expect(byArguments.firstToken == "admin")
        #expect(byArguments.anonymous == .write)
        #expect(byArguments.hosts == ["a.example", "b"])
        #expect(byArguments.origins == ["https://a.example:8443", "*"])
        #expect(try options(["--token-file", "u"], ["MEDLEY_TOKEN_FILE": "t"]).tokenFile == "u")
        #expect(try options([], ["MEDLEY_TOKEN_FILE": "", "MEDLEY_ALLOW_ANONYMOUS": ""]).tokenFile == nil)
    }

    @Test(arguments: [
        ["--token-file", ""], ["--token-file"], ["--first-token", "a"], ["--token-file", "t", "--first-token", "a b"],
        ["--allow-anonymous", "owner"], ["--allow-anonymous"], ["--host", ""], ["--host", "http://a"],
        ["--host", "a:80"],
        ["--cors-origin", "a.example"], ["--cors-origin", "https://"], ["--cors-origin", "https://a/"],
    ])
    func mistakesAboutWhoMayAreRefused(_ arguments: [String]) {
        #expect(throws: ServeOptions.UsageError.self) { try options(arguments) }
    }

    @Test(arguments: [
        ["--history", "30"], ["--history", "0d"], ["--history", "-1d"], ["--history", "1w"], ["--history"], ["--data"],
        ["--data", ""], ["--data="], ["--data", "d", "--memory"], ["--memory", "--data", "d"], ["--memory=1"],
        ["--memory", "--history", "1d"], ["--history=1d", "--memory"],
        ["--loops", "0"], ["--what"], ["--access-log", "xml"], ["--access-log="], ["--access-log"],
    ])
    func mistakesAreRefused(_ arguments: [String]) {
        #expect(throws: ServeOptions.UsageError.self) { try options(arguments) }
    }
}
