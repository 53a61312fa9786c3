// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "medley", path: "..")],
    targets: [
        .systemLibrary(name: "CAllocator"),
        .executableTarget(
            name: "CoreBenchmark",
            dependencies: [
                "CAllocator",
                .product(name: "MedleyCore", package: "medley"), .product(name: "JSONText", package: "medley"),
            ],
            swiftSettings: settings),
        // What a fan-out costs at least: the server that LiveBenchmark compares with.
        .executableTarget(
            name: "BareServer", linkerSettings: [.linkedLibrary("event_core"), .linkedLibrary("pthread")]),
        // Asks both over their sockets, so it needs nothing of the package beside it.
        .systemLibrary(name: "CEpoll"),
        .executableTarget(name: "LiveBenchmark", dependencies: ["CEpoll"], swiftSettings: settings),
        .systemLibrary(name: "CPlainSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Asks the server over its sockets and reads its store, so it needs nothing of the package beside it.
        .executableTarget(name: "JournalBenchmark", dependencies: ["CPlainSQLite"], swiftSettings: settings),
    ]
)
