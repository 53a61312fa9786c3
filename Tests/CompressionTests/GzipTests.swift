import Compression
import Foundation
import Testing

@Suite struct GzipTests {
    private func assembled(_ blocks: [DeflatedBlock]) -> [UInt8] {
        var assembler = GzipAssembler()
        var body = GzipAssembler.header
        for block in blocks {
            assembler.add(block)
            body += block.bytes
        }
        return body + assembler.trailer
    }

    @Test func aBodyWithoutBlocksIsEmpty() throws {
        #expect(try GzipTool.inflate(assembled([])).isEmpty)
    }

    @Test(arguments: [1, 5, 100, 1_000, 65_535, 65_536, 200_000])
    func aBlockInflatesToItsSource(count: Int) throws {
        let source = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31) }
        let block = Deflater().block(source)
        #expect(block.sourceByteCount == count)
        #expect(try GzipTool.inflate(assembled([block])) == source)
        #expect(try GzipTool.inflate(assembled([.stored(source)])) == source)
    }

    @Test func blocksMadeApartJoinInAnyOrder() throws {
        let seed = ProcessInfo.processInfo.environment["MEDLEY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(state: seed)
        let sources = (0..<40).map { _ -> [UInt8] in
            let alphabet = Int.random(in: 1...256, using: &random)
            return (0..<Int.random(in: 0...3_000, using: &random)).map { _ in
                UInt8(Int.random(in: 0..<alphabet, using: &random))
            }
        }
        let deflater = Deflater()
        let blocks = sources.map { Bool.random(using: &random) ? deflater.block($0) : Deflater(level: 1).block($0) }
        for _ in 0..<5 {
            let order = (0..<60).map { _ in Int.random(in: 0..<sources.count, using: &random) }
            let body = assembled(order.map { blocks[$0] })
            #expect(try GzipTool.inflate(body) == order.flatMap { sources[$0] })
        }
    }

    @Test func whatDoesNotShrinkIsStored() {
        var random = SplitMix(state: 1)
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(Deflater().block(noise) == .stored(noise))
        #expect(Deflater().block(noise).bytes.count == 1_005)
    }

    @Test func textShrinks() {
        let text = Array(String(repeating: #"{"id":"v1","type":"video","liked":false},"#, count: 200).utf8)
        #expect(Deflater().block(text).bytes.count < text.count / 20)
    }

    @Test func aDamagedBodyIsNoticed() {
        let source = Array("a body of some length that is damaged".utf8)
        var body = assembled([.stored(source)])
        body[20] ^= 1
        #expect(throws: GzipTool.Refused.self) { try GzipTool.inflate(body) }
    }

    @Test func aBlockIsTheSameWhateverWasMadeBefore() {
        let source = Array(String(repeating: "the same text again and again ", count: 50).utf8)
        let deflater = Deflater()
        let first = deflater.block(source)
        _ = deflater.block(Array(source.reversed()))
        #expect(deflater.block(source) == first)
    }
}

/// A small generator that a seed makes repeatable.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
