import Foundation

/// The header field `Retry-After` (RFC 9110, 10.2.3): seconds, or a date, which proxies send.
enum RetryAfter {
    /// How long the server asks to wait, in seconds, an hour at most; `nil` if it does not or in no known form.
    static func seconds(_ response: ClientResponse, now: Date = Date()) -> Double? {
        guard let text = response.headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = UInt32(text) { return min(Double(seconds), longest) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text).map { min(max(0, $0.timeIntervalSince(now)), longest) }
    }

    private static let longest = 3_600.0
}
