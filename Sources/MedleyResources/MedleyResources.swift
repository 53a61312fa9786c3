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

    /// The files of the web page.
    package static var page: [(name: String, content: [UInt8])] {
        [
            ("arrangement.js", PackageResources.arrangement_js),
            ("cells.js", PackageResources.cells_js),
            ("chain.js", PackageResources.chain_js),
            ("collection.js", PackageResources.collection_js),
            ("difference.js", PackageResources.difference_js),
            ("dragging.js", PackageResources.dragging_js),
            ("elements.js", PackageResources.elements_js),
            ("follower.js", PackageResources.follower_js),
            ("icon.svg", PackageResources.icon_svg),
            ("index.html", PackageResources.index_html),
            ("json.js", PackageResources.json_js),
            ("list.js", PackageResources.list_js),
            ("motion.js", PackageResources.motion_js),
            ("notices.js", PackageResources.notices_js),
            ("page.js", PackageResources.page_js),
            ("server.js", PackageResources.server_js),
            ("style.css", PackageResources.style_css),
            ("words.js", PackageResources.words_js),
        ]
    }
}
