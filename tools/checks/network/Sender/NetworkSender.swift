import EventLog
import Foundation
import Tracking
import TrackingCore
import TrackingHTTP

/// An app that the network lab controls: reads commands from standard input, and prints what has happened, a JSON object per line.
@main
enum NetworkSender {
    struct Note: TrackingEvent {
        static let name = "network-note"
        let text: String
    }

    /// Prints an object with the time by the system's monotonic clock, in seconds.
    static func report(_ what: String, _ values: [String: Any] = [:]) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let object = values.merging(["what": what, "at": Double(time.tv_sec) + Double(time.tv_nsec) / 1e9]) { $1 }
        // A dictionary of texts and numbers is always valid.
        guard let json = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return }
        try? FileHandle.standardOutput.write(contentsOf: json + Data("\n".utf8))  // fails when the lab has ended
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 3, let setup = Setup(CommandLine.arguments[2]) else {
            FileHandle.standardError.write(Data("usage: network-sender FOLDER JSON\n".utf8))
            exit(64)
        }
        let folder = CommandLine.arguments[1]
        let tracker = start(in: folder, setup)
        do { try await tracker.opened() } catch { report("error", ["reason": "\(error)"]) }
        report("opened", ["pid": Int(getpid())])
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            do { try await perform(words, tracker, folder) } catch { report("error", ["reason": "\(error)"]) }
            if words.first == "close" { return }
        }
        // The lab has ended.
        try await tracker.close()
    }

    struct Setup: Decodable {
        let url: String
        var key = "wk_network"
        var timeout: Int64 = 30
        var deadline: Int64 = 60
        /// Seconds between automatic flushes; nil for none.
        var interval: Double?
        var certificates: String?

        init?(_ json: String) {
            let decoder = JSONDecoder()
            guard let setup = try? decoder.decode(Self.self, from: Data(json.utf8)) else { return nil }
            self = setup
        }

        private enum CodingKeys: String, CodingKey { case url, key, timeout, deadline, interval, certificates }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            url = try values.decode(String.self, forKey: .url)
            key = try values.decodeIfPresent(String.self, forKey: .key) ?? key
            timeout = try values.decodeIfPresent(Int64.self, forKey: .timeout) ?? timeout
            deadline = try values.decodeIfPresent(Int64.self, forKey: .deadline) ?? deadline
            interval = try values.decodeIfPresent(Double.self, forKey: .interval)
            certificates = try values.decodeIfPresent(String.self, forKey: .certificates)
        }
    }

    private static func start(in folder: String, _ setup: Setup) -> Tracker {
        var configuration = TrackingConfiguration(folder: folder, consent: .assumed)
        configuration.context = TrackingContext(app: "network-sender 1.0", os: nil)
        configuration.flushPolicy = FlushPolicy(
            interval: setup.interval.map { .seconds($0) }, deadline: .seconds(setup.deadline))
        configuration.sendingLimit = nil
        configuration.configureLog = { $0.retention = .keepAll }
        let options = HTTPSink.Options(timeout: .seconds(setup.timeout), certificates: setup.certificates)
        return Tracker.start(.http(setup.url, key: setup.key, options: options), configuration: configuration) {
            report("diagnostic", ["reason": "\($0)"])
        }
    }

    private static func perform(_ words: [String], _ tracker: Tracker, _ folder: String) async throws {
        switch words.first {
        case "send":
            let (count, size) = (Int(words[1]) ?? 0, Int(words[2]) ?? 0)
            for _ in 0..<count {
                // Does not become shorter by compression.
                let text = (0..<size / 16).map { _ in String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16) }
                tracker.send(Note(text: text.joined()))
            }
            try await tracker.flushToDisk()
        case "flush": await tracker.flush()
        case "begin": Task { await tracker.flush() }
        case "deny": try await tracker.setConsent(.denied)
        case "grant": try await tracker.setConsent(.granted)
        case "erase": try await tracker.erase(user: words[1])
        case "identify": tracker.identify(words[1])
        case "close": try await tracker.close()
        case "progress":
            let reader = try EventLogReader(path: folder + "/events.sqlite")
            let cursor = try reader.cursors().first { $0.consumer == "http" }
            return report(
                "progress",
                ["acknowledged": cursor?.acknowledged ?? 0, "last": try reader.statistics().lastSeq])
        default: return report("error", ["reason": "unknown command"])
        }
        report("done", ["command": words.joined(separator: " ")])
    }
}
