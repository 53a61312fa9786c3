import MedleyService
import Testing

@testable import MedleyApp

@Suite struct ConnectionRoomTests {
    /// The process's descriptors, and the connections and waiting requests that there is room for.
    @Test(arguments: [(1_048_576, 30_000, 20_000), (20_000, 19_872, 14_904), (1_024, 896, 672), (0, 16, 12)])
    func whoWaitsLeavesConnectionsToOthers(descriptors: Int, connections: Int, waiting: Int) {
        let room = ConnectionRoom(descriptors: descriptors, limits: ServiceLimits())
        #expect(room.connections == connections)
        #expect(room.waiting == waiting)
    }

    /// The process's descriptors, and what one client network has of the connections and places.
    @Test(arguments: [(1_048_576, 1_500, 1_000), (4_000, 968, 726), (1_024, 224, 168), (0, 4, 3)])
    func oneClientLeavesConnectionsToOthers(descriptors: Int, connections: Int, waiting: Int) {
        let room = ConnectionRoom(descriptors: descriptors, limits: ServiceLimits())
        #expect(room.connectionsPerAddress == connections)
        #expect(room.waitingPerAddress == waiting)
    }
}
