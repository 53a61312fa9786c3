import Testing

@testable import Journal

@Suite struct SweepClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    private func reading(_ wall: Int64, _ hours: Double) -> SweepClock.Reading {
        SweepClock.Reading(wall: wall, monotonic: hours * 3_600)
    }

    @Test(
        arguments: [
            (nil, 50 * day, true), (0, 0, true), (0, day, true), (0, day + hour, false), (0, 30 * day, false),
            (30 * day, 0, true),
        ] as [(Int64?, Int64, Bool)])
    func aStoreIsOpenedWithATrustedClockIfItsNewestStampIsNotLongAgo(
        _ stamp: Int64?, _ wall: Int64, _ isTrusted: Bool
    ) {
        var clock = SweepClock(newestStamp: stamp, reading(wall, 7))
        #expect((clock.judge(reading(wall, 7)) == .trusted) == isTrusted)
    }

    @Test func timeThatBothClocksHaveSeenIsTrustedHoweverLong() {
        var clock = SweepClock(newestStamp: 0, reading(0, 0))
        #expect(clock.judge(reading(400 * Self.day, 400 * 24)) == .trusted)
        #expect(clock.judge(reading(400 * Self.day + Self.hour / 2, 400 * 24)) == .trusted)
        // Once it runs, an hour is the most.
        #expect(clock.judge(reading(400 * Self.day + 3 * Self.hour, 400 * 24)) != .trusted)
    }

    @Test func aJumpIsToldOnceAndTrustedAfterADay() {
        var clock = SweepClock(newestStamp: 0, reading(0, 0))
        let jump = 40 * Self.day
        #expect(clock.judge(reading(0, 0)) == .trusted)
        #expect(clock.judge(reading(jump, 0)) == .ahead(seconds: 40 * 86_400, isNew: true))
        #expect(clock.judge(reading(jump + Self.hour, 1)) == .ahead(seconds: 40 * 86_400, isNew: false))
        #expect(clock.judge(reading(jump + 23 * Self.hour, 23)) == .ahead(seconds: 40 * 86_400, isNew: false))
        #expect(clock.judge(reading(jump + 24 * Self.hour, 24)) == .trusted)
    }

    @Test func aSecondJumpBeginsTheDayAnew() {
        var clock = SweepClock(newestStamp: 0, reading(0, 0))
        #expect(clock.judge(reading(40 * Self.day, 0)) != .trusted)
        #expect(clock.judge(reading(80 * Self.day, 23)) != .trusted)
        #expect(clock.judge(reading(80 * Self.day + 2 * Self.hour, 25)) != .trusted)
        #expect(clock.judge(reading(80 * Self.day + 24 * Self.hour, 47)) == .trusted)
    }
}
