import HTTPCore

/// Every resource of the service.
enum RoutingTable {
    static let json = "application/json"
    static let mergePatch = "application/merge-patch+json"

    static let routes: [Route] = [
        Route("/v1/collections/{collection}/changes", .follow(query: ["since", "reset", "wait"], ChangesResource.get)),
        Route(
            "/v1/collections/{collection}/events",
            .follow(query: ["since"], answersJSON: false, EventsResource.ofCollection)),
        Route(
            "/v1/collections/{collection}",
            .get(query: ["models", "section", "type", "liked", "limit", "cursor"], SnapshotResource.get),
            .edit(
                "PUT", consumes: [json],
                example: #"curl --json '{"title":"Mix","sections":[]}' -X PUT http://HOST/v1/collections/mix"#,
                CollectionEdits.put),
            .edit(
                "PATCH", consumes: [json],
                example: #"curl --json '{"changes":[{"op":"like","ids":["v1"]}]}' -X PATCH "#
                    + "http://HOST/v1/collections/mix",
                CollectionEdits.patch),
            .edit("DELETE", answersJSON: false, CollectionEdits.delete)),
        Route(
            "/v1/collections/{collection}/items",
            .get(query: ["ids", "section", "type", "liked"], ItemsResource.get)),
        Route(
            "/v1/collections/{collection}/items/{item}",
            .get(ItemResource.get),
            .edit(
                "PATCH", consumes: [mergePatch, json],
                example: #"curl --json '{"liked":true}' -X PATCH http://HOST/v1/collections/mix/items/v1"#,
                ItemResource.patch),
            .edit("DELETE", ItemResource.delete)),
        Route("/v1/collections/{collection}/stores", .get(StoresResource.list)),
        Route("/v1/collections/{collection}/stores/{type}", .get(StoresResource.get)),
        Route("/v1/collections", .get(CollectionsResource.get)),
        Route(
            "/v1/changes",
            .follow(
                "POST", consumes: [json],
                example: #"curl --json '{"since":{"mix":"k3f9a2b1-42"},"wait":25}' http://HOST/v1/changes"#,
                PollResource.post)),
        Route(
            "/v1/events",
            .follow(query: ["collections", "since"], answersJSON: false, EventsResource.ofMany)),
        Route("/v1", .get(ServiceResource.get)),
        Route("/healthz", .get(answersJSON: false, HealthResource.health)),
        Route("/readyz", .get(answersJSON: false, HealthResource.readiness)),
        Route("/metrics", .get(answersJSON: false, MetricsResource.get)),
        Route("/openapi.yaml", .get(answersJSON: false, ContractResource.get)),
        Route("/", .get(answersJSON: false, PageResource.get)),
        Route("/page/{file}", .get(answersJSON: false, PageResource.part)),
        Route("/medley.js", .get(answersJSON: false, PageResource.module)),
    ]
}
