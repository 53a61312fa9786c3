import HTTPCore

/// `GET /openapi.yaml`: the contract as it lies in the repository.
enum ContractResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        call.answer(call.service.contract, type: "application/yaml")
    }
}
