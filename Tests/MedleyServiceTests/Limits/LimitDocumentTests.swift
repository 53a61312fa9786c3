import Foundation
import Journal
import Testing

@testable import MedleyService

/// `docs/limits.md`, the contract and `GET /v1` tell the same limits.
@Suite struct LimitDocumentTests {
    private static let rows = ServiceLimits().rows(Committer.Limits())

    private func text(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    }

    private func grouped(_ value: Double) -> String {
        var digits = MetricsText.number(value)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    @Test func thePageHasTheDefaultOfEachLimit() throws {
        let lines = try text("docs/limits.md").split(separator: "\n").filter {
            $0.hasPrefix("| `") && !$0.hasPrefix("| `--")
        }.map(String.init)
        let wanted = Self.rows.map { row in
            let beyond =
                switch row.beyond {
                case .refused(let status, let code): "\(status) `\(code)`"
                case .eased(let text): text
                }
            return "| `\(row.name)` | \(grouped(row.value)) | \(row.bounds) | \(beyond) |"
        }
        #expect(lines == wanted, "\(wanted.joined(separator: "\n"))")
    }

    @Test func theContractHasEachLimit() throws {
        let contract = try text("openapi.yaml")
        let start = try #require(contract.range(of: "description: The limits in force"))
        let end = try #require(contract.range(of: "additionalProperties", range: start.upperBound..<contract.endIndex))
        let lines = contract[start.upperBound..<end.lowerBound].split(separator: "\n")
            .filter { $0.contains("{description:") }.map { $0.trimmingCharacters(in: .whitespaces) }
        let wanted = Self.rows.map { row in
            let type = row.name.hasSuffix("Seconds") ? "number" : "integer"
            return "\(row.name): {description: \"\(row.bounds)\", type: \(type)}"
        }
        #expect(lines == wanted, "\(wanted.joined(separator: "\n"))")
    }

    @Test func theServiceTellsEachLimit() async throws {
        let fixture = ServiceFixture { $0.limits = ServiceLimits() }
        let told = try #require(await fixture.send("GET", "/v1").object["limits"] as? [String: Double])
        #expect(told == Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.name, $0.value) }))
    }
}
