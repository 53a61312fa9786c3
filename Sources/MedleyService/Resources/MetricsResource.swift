import HTTPCore
import Journal
import MedleyCore

/// `GET /metrics`: counts for Prometheus.
enum MetricsResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let service = call.service
        service.cursors.dropIdle()
        var text = MetricsText()
        service.metrics.append(to: &text)

        let snapshots = service.library.all().map(\.snapshot)
        text.begin("medley_collections", "gauge", "Collections.")
        text.add("medley_collections", String(snapshots.count))
        text.begin("medley_items", "gauge", "Items of all collections.")
        text.add("medley_items", String(snapshots.reduce(0) { $0 + $1.itemCount }))
        text.begin("medley_sections", "gauge", "Sections of all collections.")
        text.add("medley_sections", String(snapshots.reduce(0) { $0 + $1.sectionCount }))
        text.begin("medley_kept_deletions", "gauge", "Deletions kept for those who follow.")
        text.add("medley_kept_deletions", String(snapshots.reduce(0) { $0 + $1.keptDeletionCount }))
        text.begin("medley_held_snapshots", "gauge", "Snapshots held for cursors.")
        text.add("medley_held_snapshots", String(service.cursors.count))

        let waiting = service.places.counts
        text.begin("medley_held_requests", "gauge", "Polls that are held until something changes.")
        text.add("medley_held_requests", String(waiting.polls))
        text.begin("medley_event_streams", "gauge", "Streams of events that are open.")
        text.add("medley_event_streams", String(waiting.streams))

        let edits = service.committer.statistics
        text.begin("medley_revisions_total", "counter", "Edits that changed something.")
        text.add("medley_revisions_total", String(edits.committedEdits))
        text.begin("medley_commits_total", "counter", "Batches of edits that were kept together.")
        text.add("medley_commits_total", String(edits.batches))
        text.begin("medley_waiting_edits", "gauge", "Edits that wait for the committer.")
        text.add("medley_waiting_edits", String(edits.waiting))
        return call.answer(
            Document(text.bytes), type: "text/plain; version=0.0.4; charset=utf-8", cache: "no-store")
    }
}
