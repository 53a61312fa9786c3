import MedleyApp
import MedleyClient
import MedleyCore
import Testing

/// What `medley import` does with what cannot be imported, and with servers that do not do what they are asked.
@Suite struct ImportFailureTests {
    @Test func reportsWhatIsRefused() async throws {
        let collection = CollectionInMemory(forbidden: "bad")
        _ = try await ImportCommandTests.run("id,type\nx,music\n", [], into: collection)
        let run = try await ImportCommandTests.run(
            "id,a,type\n1,ok,\n2,bad,\n3,1,2,3\n4,ok,\nx,ok,video\n5,bad,\nx,ok,\nx,ok,music\n", [], into: collection)
        #expect(run.status == 1)
        #expect(
            run.errors == """
                FILE: line 4: 4 cells where the header has 3 columns
                FILE: line 6: an item "x" of the type music exists, and a type never changes
                FILE: line 3: no: invalid-item
                FILE: line 7: no: invalid-item
                FILE: line 8 and one other: another record has this id already; a number was put behind this one's

                """)
        #expect(run.printed.hasPrefix("read 8, inserted 4, updated 0, unchanged 0, refused 4"))
        #expect(await collection.snapshot?.itemCount == 5)
    }

    @Test func aSectionThatIsTooLargeIsReportedAndItsItemsGo() async throws {
        let collection = CollectionInMemory(sectionLimit: 1_000)
        let long = String(repeating: "x", count: 2_000)
        let text =
            #"{"sections":[{"id":"s","title":"S","items":[{"id":"a"},{"id":"b"}]},"#
            + #"{"id":"t","title":"T","note":"\#(long)","items":[{"id":"c"},{"id":"d"}]}]}"#
        let run = try await ImportCommandTests.run(text, [], into: collection)
        #expect(run.status == 1)
        #expect(
            run.errors
                == "FILE: line 1: what is said of the section \"t\" is left out: no: content-too-large\n",
            "\(run.errors)")
        #expect(await ImportCommandTests.layout(collection) == ["s: a b", "t: c d"])
    }

    @Test func aFileWithoutARecordIsNoReasonToDeleteEverything() async throws {
        let collection = CollectionInMemory()
        _ = try await ImportCommandTests.run("id\na\nb\n", [], into: collection)
        let run = try await ImportCommandTests.run("id\n", ["--prune"], into: collection)
        #expect(run.status == 1 && run.errors.hasSuffix("nothing was deleted, since the file has no record\n"))
        #expect(await ImportCommandTests.layout(collection) == ["items: a b"])
    }

    @Test func splitsWhatIsTooLarge() async throws {
        let collection = CollectionInMemory(bodyLimit: 4000)
        let rows = (0..<40).map { "\($0),\(String(repeating: "x", count: $0 == 7 ? 5000 : 200))\n" }.joined()
        let run = try await ImportCommandTests.run("id,a\n" + rows, [], into: collection)
        #expect(run.printed.hasPrefix("read 40, inserted 39, updated 0, unchanged 0, refused 1"))
        #expect(run.errors == "FILE: line 9: no: content-too-large\n")
        #expect(
            await ImportCommandTests.layout(collection) == [
                "items: " + (0..<40).filter { $0 != 7 }.map(String.init).joined(separator: " ")
            ])
    }

    @Test(arguments: [
        [CollectionInMemory.Fault.requestLost], [.busy, .busy], [.answerLost], [.answerLost, .requestLost, .busy],
    ])
    func makesALostEditAgainOnce(_ faults: [CollectionInMemory.Fault]) async throws {
        let collection = CollectionInMemory()
        _ = try await ImportCommandTests.run("id\na\n", [], into: collection)
        await collection.fail(faults)
        let run = try await ImportCommandTests.run("id\na\nb\n", [], into: collection)
        #expect(run.status == 0)
        #expect(run.printed.hasPrefix("read 2, inserted 1, updated 0, unchanged 1, refused 0"))
        #expect(await collection.edits == 3)
    }

    @Test func givesUpInTheEnd() async throws {
        let collection = CollectionInMemory()
        await collection.fail(Array(repeating: .busy, count: 7))
        let run = try await ImportCommandTests.run("id\na\n", [], into: collection)
        #expect(run.status == 1)
        #expect(run.errors == "medley import: no: overloaded\n")
        #expect(await collection.snapshot == nil)
    }

    @Test(arguments: [
        ("a,b\n1,2\n", ["--id", "k"], "no column \"k\"; the columns are \"a\", \"b\""),
        ("[{\"a\":1},{\"a\":2}]", ["--section", "k"], "none of the first 2 records has a field \"k\""),
        ("", [], "the file is empty"),
        ("<html/>", [], "the file is a web page, not a playlist or feed; is the address right?"),
        ("{\n\"sections\":[", [], "line 2: not valid JSON"),
    ])
    func sendsNothingOfABadFile(_ text: String, options: [String], message: String) async throws {
        let collection = CollectionInMemory()
        let run = try await ImportCommandTests.run(text, options, into: collection)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("medley import: \(message)"), "\(run.errors)")
        #expect(await collection.edits == 0)
    }

    @Test func importsWhatStandsBeforeAFault() async throws {
        let collection = CollectionInMemory()
        let run = try await ImportCommandTests.run("[{\"id\":\"a\"},\n{\"id\":\"b\"},\n{\"id\":", [], into: collection)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("medley import: line 3: the file ends inside the JSON array"))
        #expect(run.printed.hasPrefix("read 2, inserted 2"))
        #expect(await ImportCommandTests.layout(collection) == ["items: a b"])
    }

    @Test func saysThatNoServerAnswers() async throws {
        let run = await ImportCommandTests.run(
            [#filePath, "--into", "http://127.0.0.1:1/v1/collections/a"], ClientTransport.network())
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("medley import: no server answers at 127.0.0.1:1"), "\(run.errors)")
    }

    @Test(arguments: [
        ClientResponse(status: 200, body: Array("<html>".utf8)), ClientResponse(status: 404, body: Array("{}".utf8)),
    ])
    func saysThatTheServerIsAnother(_ response: ClientResponse) async throws {
        let run = await ImportCommandTests.run(
            [#filePath, "--into", "http://h/v1/collections/a"], ClientTransport { _ throws(ClientError) in response })
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("medley import: http://h/v1/collections/a is no collection of a Medley server"))
    }
}
