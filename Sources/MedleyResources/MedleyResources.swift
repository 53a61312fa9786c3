/// The files that the command carries with it, so that one binary serves them wherever it runs.
package enum MedleyResources {
    /// `openapi.yaml` as it lies in the repository.
    package static var contract: [UInt8] { PackageResources.openapi_yaml }

    /// The sample collections: the id, and the content as a PUT takes it.
    package static var samples: [(id: String, content: [UInt8])] {
        [
            ("mix", PackageResources.mix_json),
            ("frameworks", PackageResources.frameworks_json),
            ("characters", PackageResources.characters_json),
        ]
    }
}
