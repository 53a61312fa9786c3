import Testing

@testable import MedleyApp

@Suite struct ConnectionRoomTests {
    /// The process's descriptors, and the connections and waiting requests that there is room for.
    @Test(arguments: [(1_048_576, 30_000, 20_000), (20_000, 19_872, 14_904), (1_024, 896, 672), (0, 16, 12)])
    func whoWaitsLeavesConnectionsToOthers(descriptors: Int, connections: Int, waiting: Int) {
        let room = ConnectionRoom(descriptors: descriptors, waiting: 20_000)
        #expect(room.connections == connections)
        #expect(room.waiting == waiting)
    }
}
