import Foundation
import Testing

/// Attacks over raw sockets on the real command, each beside an honest client that goes on being served.
///
/// `Scripts/attack` has them last as long as the server's deadlines and bounds the honest client's times; here they are cut
/// short, and only what is answered counts.
@Suite(.serialized) struct AttackTests {
    private static let bound = ProcessInfo.processInfo.environment["MEDLEY_ATTACK_MILLISECONDS"].flatMap { Double($0) }

    @Test(arguments: Attack.all) func theHonestAreServedDuring(attack: Attack) throws {
        let server = try AttackedServer(
            ["--rate", "\(attack.rate)"] + attack.arguments, wantsTokens: attack.wantsTokens,
            speaksTLS: attack.speaksTLS, isWhole: Self.bound != nil)
        let memory = server.peakMemory
        let honest = HonestClient(token: server.admin, rate: attack.rate) { try server.connectInOrder() }
        let failure: (any Error)?
        do {
            try attack.carryOut(server)
            failure = nil
        } catch { failure = error }
        let account = honest.finish(after: Self.bound == nil ? 20 : 200)
        let grown = server.peakMemory - memory
        print("attack: \(attack.name): \(account.figures); memory grew by \(grown >> 10) KiB")
        if let failure { throw failure }
        #expect(account.failure == nil)
        #expect(!account.seconds.isEmpty)
        #expect(grown <= attack.memory, "the server's memory grew by \(grown) bytes")
        #expect(server.served.process.isRunning)
        if let bound = Self.bound {
            #expect(account.milliseconds(0.99) <= bound, "\(account.figures)")
        }
    }
}
