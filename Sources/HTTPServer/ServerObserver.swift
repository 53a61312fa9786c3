/// Is told of every request; for access logs.
package protocol ServerObserver: Sendable {
    /// The observer of one loop, made before the loop runs.
    func makeLoopObserver() -> any LoopObserver
}

/// Is told of the requests of one loop, on its thread only.
package protocol LoopObserver: AnyObject {
    /// A request is over: the system has its response to the last byte, or the connection is gone. It must not wait.
    func requestFinished(_ record: RequestRecord)
}
