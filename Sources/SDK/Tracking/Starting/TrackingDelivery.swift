public import Foundation
public import TrackingCore
public import TrackingHTTP

/// A destination of a tracker's events.
///
/// ```swift
/// Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"), .file)
/// ```
public struct TrackingDelivery: Sendable {
    /// A collector, and how requests are sent to it.
    struct Collector: Sendable {
        let url: String
        let key: String
        let options: HTTPSink.Options
    }

    /// The consumer's name in the log.
    let name: String
    /// The collector, from which remote switches can be fetched; nil for another destination.
    let collector: Collector?
    /// Makes the sink in the folder of the log; nil if events only stay in the log.
    let makeSink: @Sendable (_ folder: String, _ clock: any TrackingClock) throws -> (any Sink)?

    /// Delivers to a collector over HTTP, see `HTTPSink`. An event counts as delivered once the collector has synced it.
    ///
    /// - Parameters:
    ///   - url: The collector's `POST /v1/events`: `https`, or `http` with a loopback address.
    ///   - key: The write key, 1 to 512 characters of a bearer token.
    ///   - name: The consumer's name in the log. Keep it across restarts, and use a different name for each collector.
    ///   - options: How requests are sent: timeout, networks, transport.
    public static func http(
        _ url: String, key: String, name: String = "http", options: HTTPSink.Options = .standard
    ) -> Self {
        Self(name: name, collector: Collector(url: url, key: key, options: options)) { _, clock in
            try HTTPSink(url: url, key: key, name: name, options: options, clock: clock)
        }
    }

    /// Delivers to a collector over HTTP; see ``http(_:key:name:options:)-(String,_,_,_)``.
    public static func http(
        _ url: URL, key: String, name: String = "http", options: HTTPSink.Options = .standard
    ) -> Self {
        Self(name: name, collector: Collector(url: url.absoluteString, key: key, options: options)) { _, clock in
            try HTTPSink(url: url, key: key, name: name, options: options, clock: clock)
        }
    }

    /// Writes JSON lines to `events.jsonl` next to the log. Starts a new file at 64 MiB and every day.
    public static let file = file()

    /// Writes JSON lines to a file, each event exactly once, see `JSONLinesFileSink`.
    ///
    /// - Parameters:
    ///   - name: The file's name without `.jsonl`. Keep it across restarts.
    ///   - directory: An existing folder. Default: the folder of the log.
    ///   - rotation: When to start a new file.
    public static func file(
        named name: String = "events", in directory: String? = nil, rotation: FileRotation = .standard
    ) -> Self {
        Self(name: "file:\(name)") { folder, clock in
            JSONLinesFileSink(directory: directory ?? folder, fileName: name, rotation: rotation, clock: clock)
        }
    }

    /// Delivers to a sink of your own.
    public static func sink(_ sink: any Sink) -> Self { Self(name: sink.name) { _, _ in sink } }

    /// Delivers nothing: events stay in the log, up to its retention limits. Read them with `trackctl`.
    public static let logOnly = Self(name: "log") { _, _ in nil }

    private init(
        name: String, collector: Collector? = nil,
        _ makeSink: @escaping @Sendable (String, any TrackingClock) throws -> (any Sink)?
    ) {
        self.name = name
        self.collector = collector
        self.makeSink = makeSink
    }
}
