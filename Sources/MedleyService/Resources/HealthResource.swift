import HTTPCore

/// `GET /healthz` and `/readyz`: alive; able to serve.
enum HealthResource {
    static func health(_ call: Call) throws(Problem) -> Response {
        call.service.cursors.dropIdle()
        return call.answer(Document(Array("{\"status\":\"ok\"}".utf8)), cache: "no-store")
    }

    static func readiness(_ call: Call) throws(Problem) -> Response {
        switch call.service.configuration.readiness() {
        case .ready: call.answer(Document(Array("{\"status\":\"ok\"}".utf8)), cache: "no-store")
        case .shuttingDown: throw ProblemCode.shuttingDown.problem("The service was told to stop.")
        case .storageFailing:
            throw ProblemCode.storageFailed.problem("The store cannot be written; collections can be read.")
        }
    }
}
