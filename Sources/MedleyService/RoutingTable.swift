import HTTPCore
import MedleyFormats

/// Every resource of the service.
enum RoutingTable {
    static let json = "application/json"
    static let mergePatch = "application/merge-patch+json"

    static let routes: [Route] = [
        Route(
            "/v1/collections/{collection}/changes",
            .follow(
                needs: .collection(.read), query: ["since", "reset", "wait"], ChangesResource.get)),
        Route(
            "/v1/collections/{collection}/events",
            .follow(needs: .collection(.read), query: ["since"], answersJSON: false, EventsResource.ofCollection)),
        Route(
            "/v1/collections/{collection}",
            .follow(
                needs: .collection(.read),
                query: ["models", "section", "type", "liked", "limit", "cursor", "format"], hasFormats: true,
                SnapshotResource.get),
            .edit(
                "PUT", needs: .collection(.write), consumes: [json],
                example: #"curl --json '{"title":"Mix","sections":[]}' -X PUT http://HOST/v1/collections/mix"#,
                CollectionEdits.put),
            .edit(
                "PATCH", needs: .collection(.write), consumes: [json],
                example: #"curl --json '{"changes":[{"op":"like","ids":["v1"]}]}' -X PATCH "#
                    + "http://HOST/v1/collections/mix",
                CollectionEdits.patch),
            .edit("DELETE", needs: .collection(.admin), answersJSON: false, CollectionEdits.delete)),
        Route(
            "/v1/collections/{collection}/import",
            .edit(
                "POST", needs: .collection(.write), query: ImportRequest.parameters,
                consumes: StatedFormat.mediaTypes.map(\.type),
                example: "curl --data-binary @mix.m3u8 -H 'Content-Type: audio/x-mpegurl' "
                    + "http://HOST/v1/collections/mix/import",
                isSlow: true, trialParameter: "dryRun", ImportResource.post)),
        Route(
            "/v1/collections/{collection}/items",
            .get(needs: .collection(.read), query: ["ids", "section", "type", "liked"], ItemsResource.get)),
        Route(
            "/v1/collections/{collection}/items/{item}",
            .get(needs: .collection(.read), ItemResource.get),
            .edit(
                "PATCH", needs: .collection(.write), consumes: [mergePatch, json],
                example: #"curl --json '{"liked":true}' -X PATCH http://HOST/v1/collections/mix/items/v1"#,
                ItemResource.patch),
            .edit("DELETE", needs: .collection(.write), ItemResource.delete)),
        Route("/v1/collections/{collection}/stores", .get(needs: .collection(.read), StoresResource.list)),
        Route("/v1/collections/{collection}/stores/{type}", .get(needs: .collection(.read), StoresResource.get)),
        Route("/v1/collections", .get(needs: .some(.read), CollectionsResource.get)),
        Route(
            "/v1/changes",
            .follow(
                "POST", needs: .some(.read), consumes: [json],
                example: #"curl --json '{"since":{"mix":"k3f9a2b1-42"},"wait":25}' http://HOST/v1/changes"#,
                PollResource.post)),
        Route(
            "/v1/events",
            .follow(needs: .some(.read), query: ["collections", "since"], answersJSON: false, EventsResource.ofMany)),
        Route("/v1", .get(needs: .identity, ServiceResource.get)),
        Route(
            "/v1/session",
            .get(needs: .identity, SessionResource.get),
            .session("POST", needs: .identity, answersJSON: true, SessionResource.open),
            .session("DELETE", needs: .identity, answersJSON: false, SessionResource.close)),
        Route("/healthz", .get(needs: .nothing, answersJSON: false, HealthResource.health)),
        Route("/readyz", .get(needs: .nothing, answersJSON: false, HealthResource.readiness)),
        Route("/metrics", .get(needs: .all(.read), answersJSON: false, MetricsResource.get)),
        Route("/openapi.yaml", .get(needs: .nothing, answersJSON: false, ContractResource.get)),
        Route("/", .get(needs: .nothing, answersJSON: false, PageResource.get)),
        Route("/page/{file}", .get(needs: .nothing, answersJSON: false, PageResource.part)),
        Route("/medley.js", .get(needs: .nothing, answersJSON: false, PageResource.module)),
    ]
}
