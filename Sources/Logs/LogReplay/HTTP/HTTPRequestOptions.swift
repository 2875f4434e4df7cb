package import Foundation

/// How batches are posted.
package struct HTTPRequestOptions: Sendable {
    /// `http` or `https`.
    package let url: URL
    /// Sent with each batch, beside what the sink sets itself. Several of a name are sent as one, with commas between their
    /// values (RFC 9110, 5.3).
    package var headers: [(name: String, value: String)] = []
    /// Whether bodies are compressed.
    package var compresses = false
    /// How long an answer may take, from the first byte that is sent to its status.
    package var timeout: Duration = .seconds(30)
    /// How many batches are under way at most.
    package var connections = 1

    package init(url: URL) { self.url = url }

    /// The URL without its query, which may hold a key.
    package var shownURL: String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.query = nil
        return parts?.string ?? "the endpoint"
    }
}
