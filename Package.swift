// swift-tools-version: 6.2
// The layers of docs/architecture.md: a target may import what its dependencies name and nothing else;
// Scripts/check builds with `--explicit-target-dependency-import-check error`.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The files of the web page, in Sources/MedleyResources/Files/page.
let page = [
    "arrangement.js", "cells.js", "dragging.js", "elements.js", "following.js", "icon.svg", "index.html", "json.js",
    "list.js",
    "motion.js", "notices.js", "page.js", "session.js", "signing.js", "style.css", "words.js",
]

/// The files of medley.js, in Sources/MedleyResources/Files/medley.
let medley = [
    "apply-once.js", "backoff.js", "chain.js", "channel.js", "clock.js", "collection.js", "connect.js", "connection.js",
    "connections.js", "credential.js", "difference.js", "edit-queue.js", "emitter.js", "event-stream.js",
    "merge-patch.js", "mirror.js", "problem.js", "revision.js", "service.js",
]

let package = Package(
    name: "medley",
    // For the libraries, which apps use too; the server is for Linux.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "medley", targets: ["medley"]),
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "MedleyCore", targets: ["MedleyCore"]),
        .library(name: "MedleyJSON", targets: ["MedleyJSON"]),
        .library(name: "MedleyFormats", targets: ["MedleyFormats"]),
        .library(name: "MedleyClient", targets: ["MedleyClient"]),
    ],
    targets: [
        // Values: no I/O, no clock, no Foundation.
        library("JSONText"),
        library("MedleyCore", ["JSONText"]),
        library("MedleyJSON", ["MedleyCore", "JSONText"]),

        // HTTP over libevent, and over TLS; knows nothing of media.
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        library("EventLoop", ["CLibevent", "COpenSSL"]),
        library("HTTPCore"),
        library("HTTPServer", ["EventLoop", "HTTPCore"]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        library("Compression", ["CZlib"]),
        library("Digest", ["COpenSSL"]),

        // The database; knows nothing of media.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        library("SQLite", ["CSQLite"]),

        // The service and what goes in and out of it.
        library("Journal", ["SQLite", "Compression", "MedleyCore", "MedleyJSON"]),
        library(
            "MedleyService",
            [
                "HTTPCore", "Compression", "Digest", "Journal", "MedleyFormats", "MedleyCore", "MedleyJSON", "JSONText",
            ]),
        library("MedleyFormats", ["MedleyCore", "MedleyJSON", "JSONText"]),
        library("MedleyClient", ["MedleyCore", "MedleyJSON", "JSONText"]),
        // Samples and contract are links into the repository: what is served is what lies there.
        .target(
            name: "MedleyResources",
            // Tells Node, which tests the scripts, that they are modules.
            exclude: ["Files/package.json"],
            resources: [
                .embedInCode("Files/openapi.yaml"), .embedInCode("Files/mix.json"),
                .embedInCode("Files/frameworks.json"), .embedInCode("Files/characters.json"),
                .embedInCode("Files/medley.js"),
            ] + page.map { .embedInCode("Files/page/\($0)") } + medley.map { .embedInCode("Files/medley/\($0)") },
            swiftSettings: settings),
        library(
            "MedleyApp",
            [
                "MedleyResources",
                "EventLoop", "HTTPCore", "HTTPServer", "Journal", "MedleyService", "MedleyFormats", "MedleyClient",
                "MedleyCore", "MedleyJSON", "JSONText",
            ]),
        .executableTarget(name: "medley", dependencies: ["MedleyApp"], swiftSettings: settings),

        tests("JSONTextTests", ["JSONText"]),
        tests("MedleyCoreTests", ["MedleyCore", "JSONText"]),
        tests("MedleyJSONTests", ["MedleyJSON", "MedleyCore", "JSONText"]),
        tests("HTTPCoreTests", ["HTTPCore"]),
        tests("HTTPServerTests", ["HTTPServer", "HTTPCore", "EventLoop", "COpenSSL"]),
        tests("CompressionTests", ["Compression"]),
        tests("DigestTests", ["Digest"]),
        // Lets I/O fail under SQLite.
        .target(name: "CFaultyVFS", dependencies: ["CSQLite"], path: "Tests/CFaultyVFS"),
        tests("SQLiteTests", ["SQLite", "CFaultyVFS"]),
        tests("JournalTests", ["Journal", "SQLite", "CFaultyVFS", "MedleyCore", "MedleyJSON", "JSONText"]),
        tests(
            "MedleyServiceTests",
            [
                "MedleyService", "HTTPServer", "EventLoop", "HTTPCore", "Digest", "Journal", "MedleyFormats",
                "MedleyCore", "MedleyJSON",
                "JSONText",
            ]),
        tests("MedleyFormatsTests", ["MedleyFormats", "MedleyCore", "MedleyJSON", "JSONText"]),
        tests("MedleyClientTests", ["MedleyClient", "MedleyCore", "MedleyJSON", "JSONText"]),
        tests(
            "MedleyAppTests",
            [
                "MedleyApp", "MedleyClient", "MedleyService", "EventLoop", "MedleyCore", "MedleyJSON", "JSONText",
                "HTTPServer", "Journal",
                "HTTPCore", "MedleyResources",
            ]),
        tests(
            "EndToEndTests",
            [
                "MedleyApp", "MedleyClient", "MedleyService", "EventLoop", "HTTPServer", "HTTPCore", "COpenSSL",
                "CZlib",
                "MedleyCore", "MedleyJSON",
                "JSONText",
                "medley",
            ]),
    ]
)

// The targets of Scripts/fuzz. They are made by a linker that brings `main` along, so they are here for it only.
if Context.environment["MEDLEY_FUZZING"] == "1" {
    func fuzzing(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: "Fuzz\(name)", dependencies: dependencies + ["FuzzSupport"], path: "Tests/Fuzzing/\(name)",
            swiftSettings: settings)
    }
    package.targets += [
        .target(
            name: "FuzzSupport", dependencies: ["MedleyCore", "MedleyJSON", "JSONText"],
            path: "Tests/Fuzzing/Support", swiftSettings: settings),
        fuzzing("Requests", ["HTTPCore"]),
        fuzzing("JSON", ["JSONText"]),
        fuzzing("Changes", ["MedleyCore", "MedleyJSON"]),
        fuzzing("Edits", ["MedleyCore", "JSONText"]),
        fuzzing("Tokens", ["MedleyService"]),
        fuzzing("Formats", ["MedleyFormats", "MedleyCore", "MedleyJSON", "JSONText"]),
        fuzzing("Checkpoints", ["MedleyCore", "MedleyJSON"]),
    ]
}
