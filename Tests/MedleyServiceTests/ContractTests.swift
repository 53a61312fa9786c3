import Foundation
import HTTPCore
import MedleyJSON
import Testing

@testable import MedleyService

/// `openapi.yaml` and the service agree.
@Suite struct ContractTests {
    private let contract: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        contract = try String(contentsOf: root.appendingPathComponent("openapi.yaml"), encoding: .utf8)
    }

    /// The methods of each path.
    private var operations: [(path: String, methods: Set<String>)] {
        var operations: [(path: String, methods: Set<String>)] = []
        for line in contract.split(separator: "\n") {
            if let match = line.wholeMatch(of: /\ {2}(\/[^ ]*):/) { operations.append((String(match.output.1), [])) }
            if line == "components:" { break }
            if let match = line.wholeMatch(of: /\ {4}(get|head|put|post|patch|delete|options):/) {
                operations[operations.count - 1].methods.insert(match.output.1.uppercased())
            }
        }
        return operations
    }

    @Test func eachPathHasTheMethodsThatTheContractNames() async throws {
        #expect(operations.count >= 13)
        for (path, methods) in operations {
            let fixture = await ServiceFixture.withMix {
                $0.contract = Array(contract.utf8)
                $0.page = PageTests.files
                $0.module = PageTests.module
            }
            let target = path.replacing("{collection}", with: "mix").replacing("{item}", with: "v1")
                .replacing("{type}", with: "video").replacing("{file}", with: "style.css")
            let allow = try #require(await fixture.send("OPTIONS", target).headers["Allow"], "\(path)")
            #expect(Set(allow.split(separator: ", ").map(String.init)) == methods, "\(path)")
            if methods.contains("GET") { #expect(await fixture.send("GET", target).status == 200, "\(path)") }
        }
    }

    @Test func eachProblemOfTheContractIsInTheTable() {
        let named = contract.matches(of: /x-problems: \[([a-z, -]+)\]/)
            .flatMap { $0.output.1.split(separator: ", ").map(String.init) }
        #expect(named.count > 100)
        for code in Set(named) { #expect(ProblemCode(rawValue: code) != nil, "\(code)") }
        for code in DecodingProblem.Code.allCases { #expect(ProblemCode(rawValue: code.rawValue) != nil, "\(code)") }
    }

    @Test(arguments: ProblemCode.allCases)
    func eachProblemIsInTheContract(code: ProblemCode) {
        #expect(contract.contains(code.rawValue) || code == .expectationFailed)
    }
}
