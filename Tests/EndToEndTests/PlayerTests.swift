import Foundation
import Glibc
import Testing

/// Players open a collection by its URL and play what it names. Debian's packages `mpv`, and `vlc-bin` with
/// `vlc-plugin-base`.
@Suite(.serialized) struct PlayerTests {
    /// Where a program is; `nil` if it is not installed.
    static func path(of program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A server with a collection `mix`: two tones in the section `music`, and one in the section `video`.
    private static func served(by host: MediaHost) throws -> RunningServer {
        let running = try RunningServer()
        let items = ["low", "high"].map {
            #"{"id":"\#($0)","type":"music","title":"A \#($0) tone","artist":"Sinus","duration":0.25,"#
                + #""url":"\#(host.url($0))"}"#
        }
        let body =
            #"{"title":"Tones","sections":[{"id":"video","title":"Video","items":["#
            + #"{"id":"third","type":"video","url":"\#(host.url("third"))"}]},"#
            + #"{"id":"music","title":"Music","items":[\#(items.joined(separator: ","))]}]}"#
        let reply = try running.connect().send("PUT", "/v1/collections/mix", json: Array(body.utf8))
        try #require(reply.status == 201)
        return running
    }

    /// Runs a player to its end, at most for a minute; what it wrote.
    private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The tests' blocked signals are inherited: only this one comes through.
        var command = ["timeout", "-s", "KILL", "60"]
        // VLC refuses to run as root.
        if getuid() == 0 { command += ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] }
        process.arguments = command + ["env", "HOME=/nonexistent", program] + arguments
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(
        .enabled(if: path(of: "mpv") != nil, "mpv is not installed"),
        arguments: [
            ("?format=m3u", ["/third.wav", "/low.wav", "/high.wav"]),
            ("?format=pls", ["/third.wav", "/low.wav", "/high.wav"]),
            ("?format=m3u&section=music", ["/low.wav", "/high.wav"]),
        ])
    func mpvPlaysAPlaylist(query: String, played: [String]) throws {
        let host = try MediaHost()
        let running = try Self.served(by: host)
        let url = "http://127.0.0.1:\(running.port)/v1/collections/mix\(query)"
        let (status, text) = try Self.run(
            #require(Self.path(of: "mpv")), ["--no-config", "--no-video", "--ao=null", "--untimed", url])
        // It ends with 0 only if all was played to its end.
        #expect(status == 0, "\(text)")
        #expect(text.contains("End of file"), "\(text)")
        #expect(text.components(separatedBy: "(pcm_s16le 1ch 8000Hz)").count == played.count + 1, "\(text)")
        #expect(host.paths(askedBy: "mpv") == played)
    }

    @Test(
        .enabled(if: path(of: "cvlc") != nil, "VLC is not installed"),
        arguments: ["m3u", "pls", "xspf"], ["", "&section=music"])
    func vlcPlaysAPlaylist(format: String, filter: String) throws {
        let host = try MediaHost()
        let running = try Self.served(by: host)
        let url = "http://127.0.0.1:\(running.port)/v1/collections/mix?format=\(format)\(filter)"
        let (status, text) = try Self.run(
            #require(Self.path(of: "cvlc")), ["--no-video", "--aout=dummy", "--play-and-exit", "-vv", url])
        #expect(status == 0)
        let played = (filter.isEmpty ? ["/third.wav"] : []) + ["/low.wav", "/high.wav"]
        #expect(host.paths(askedBy: "VLC") == played)
        // Each was decoded and read to its end, which the playlist itself is too.
        #expect(text.components(separatedBy: "using audio decoder module").count == played.count + 1, "\(text)")
        #expect(text.components(separatedBy: "EOF reached").count == played.count + 2, "\(text)")
        if format == "xspf" { #expect(text.contains("XSPF playlist reader")) }
    }
}
