import MedleyCore

/// Which type of item a medium is.
enum MediaKind {
    static let music = ItemType("music")
    static let video = ItemType("video")

    /// The type by a media type (`audio/mpeg`), else by the extension of a URL's or a file's name; `nil` if neither
    /// tells.
    static func type(mime: String? = nil, name: String? = nil) -> ItemType? {
        if let mime = mime?.lowercased() {
            if mime.hasPrefix("audio/") || mime == "audio" || mime == "application/ogg" { return music }
            if mime.hasPrefix("video/") || mime == "video" || mime == "application/x-shockwave-flash" { return video }
        }
        guard let name else { return nil }
        let suffix = fileExtension(ofURL: name)
        if audioExtensions.contains(suffix) { return music }
        if videoExtensions.contains(suffix) { return video }
        return nil
    }

    /// The type by the extension of what a playlist says of where a medium lies.
    static func type(location: [UInt8]) -> ItemType? { type(name: String(decoding: location, as: UTF8.self)) }

    /// The extension of the last part of a URL's path, in lower case, without the dot; "" if there is none.
    private static func fileExtension(ofURL url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return "" }
        return last[last.index(after: dot)...].lowercased()
    }

    static let audioExtensions: Set<String> = [
        "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "wma", "aif", "aiff", "aifc", "alac", "ape",
        "wv", "mka", "mpc", "mid", "midi", "amr", "ac3", "dsf", "caf", "mp2",
    ]

    static let videoExtensions: Set<String> = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "wmv", "flv", "mpg", "mpeg", "ogv", "3gp", "3g2", "ts", "m2ts",
        "mts", "vob", "asf", "divx",
    ]
}
