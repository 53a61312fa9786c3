import HTTPCore

/// `GET /openapi.yaml`: the contract as it lies in the repository.
enum ContractResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        call.answer(Document(call.service.configuration.contract), type: "application/yaml")
    }
}
