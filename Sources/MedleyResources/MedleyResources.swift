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
            ("dragging.js", PackageResources.dragging_js),
            ("elements.js", PackageResources.elements_js),
            ("following.js", PackageResources.following_js),
            ("icon.svg", PackageResources.icon_svg),
            ("index.html", PackageResources.index_html),
            ("json.js", PackageResources.json_js),
            ("list.js", PackageResources.list_js),
            ("motion.js", PackageResources.motion_js),
            ("notices.js", PackageResources.notices_js),
            ("page.js", PackageResources.page_js),
            ("session.js", PackageResources.session_js),
            ("signing.js", PackageResources.signing_js),
            ("style.css", PackageResources.style_css),
            ("words.js", PackageResources.words_js),
        ]
    }

    /// `medley.js` in one piece.
    package static var scriptModule: [UInt8] {
        ScriptModule.joining(entry: PackageResources.medley_js, parts: scriptParts.map(\.content))
    }

    /// What `medley.js` loads, each behind those that it extends or calls when it is loaded.
    package static var scriptParts: [(name: String, content: [UInt8])] {
        [
            ("chain.js", PackageResources.chain_js),
            ("merge-patch.js", PackageResources.merge_patch_js),
            ("collection.js", PackageResources.collection_js),
            ("difference.js", PackageResources.difference_js),
            ("revision.js", PackageResources.revision_js),
            ("problem.js", PackageResources.problem_js),
            ("clock.js", PackageResources.clock_js),
            ("credential.js", PackageResources.credential_js),
            ("backoff.js", PackageResources.backoff_js),
            ("apply-once.js", PackageResources.apply_once_js),
            ("emitter.js", PackageResources.emitter_js),
            ("event-stream.js", PackageResources.event_stream_js),
            ("service.js", PackageResources.service_js),
            ("edit-queue.js", PackageResources.edit_queue_js),
            ("mirror.js", PackageResources.mirror_js),
            ("channel.js", PackageResources.channel_js),
            ("connection.js", PackageResources.connection_js),
            ("connections.js", PackageResources.connections_js),
            ("connect.js", PackageResources.connect_js),
        ]
    }
}
