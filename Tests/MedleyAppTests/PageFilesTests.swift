import MedleyResources
import Testing

/// The files of the web page and of `medley.js` as the command carries them.
@Suite struct PageFilesTests {
    static let files = Dictionary(
        uniqueKeysWithValues: MedleyResources.page.map { ($0.name, String(decoding: $0.content, as: UTF8.self)) })

    /// What a file loads: `/page/NAME` in markup, `./NAME` in a module.
    static func references(in text: String) -> [String] {
        text.matches(of: /(?:"\/page\/|from '\.\/)([a-z.]+)["']/).map { String($0.output.1) }
    }

    @Test func whateverTheyLoadIsThereAndNothingLiesUnused() {
        let used = Set(Self.files.values.flatMap(Self.references))
        #expect(used.union(["index.html"]) == Set(Self.files.keys))
    }

    @Test func theModuleStandsAloneAndExportsWhatItsEntryNames() {
        let module = String(decoding: MedleyResources.scriptModule, as: UTF8.self)
        let lines = module.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("import ") || $0.contains(" from './") })
        let exported = lines.filter { $0.hasPrefix("export ") }
        #expect(exported.contains("export { connect, connectAll };"))
        #expect(exported.allSatisfy { $0.hasPrefix("export { ") && $0.hasSuffix(" };") })
        #expect(module.contains("\nclass Connection extends Mirror {"))
    }

    @Test func eachPartOfTheModuleLiesBehindThoseThatItLoads() {
        var known: Set<String> = []
        for (name, content) in MedleyResources.scriptParts {
            let text = String(decoding: content, as: UTF8.self)
            let loaded = text.matches(of: /from '\.\/([a-z.-]+)'/).map { String($0.output.1) }
            #expect(known.isSuperset(of: loaded), "\(name) loads \(loaded)")
            known.insert(name)
        }
    }

    @Test func thePageSuitsItsSecurityPolicy() throws {
        let page = try #require(Self.files["index.html"])
        #expect(page.matches(of: /<script(?![^>]* src=)/).isEmpty)
        #expect(page.matches(of: /<style|\sstyle=|\son[a-z]+=/).isEmpty)
        for (name, text) in Self.files {
            let hosts = text.matches(of: /https?:\/\/[^\s"'`]+/).map { String($0.output) }
            #expect(hosts.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(name) names \(hosts)")
        }
    }
}
