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
        .systemLibrary(name: "CPlainSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Asks the server over its sockets and reads its store, so it needs nothing of the package beside it.
        .executableTarget(name: "JournalBenchmark", dependencies: ["CPlainSQLite"], swiftSettings: settings),
    ]
)
