import CommandRunner
import Foundation
import JSONLines

/// An HTTP endpoint on this machine that accepts batches and records each request.
final class Collector: Sendable {
    /// A request and its answer.
    struct Request {
        let json: JSONValue

        var status: Int64? { json["status"]?.integerValue }
        var key: String { json["key"]?.stringValue ?? "" }
        var body: String { json["body"]?.stringValue ?? "" }
        var lines: [String] { body.split(separator: "\n").map(String.init) }
        var at: Double {
            switch json["at"] {
            case .number(let seconds)?: seconds
            case .integer(let seconds)?: Double(seconds)
            default: 0
            }
        }
    }

    private let program: RunningProgram
    private let log: String
    /// The URL for batches.
    let url: String

    /// Starts it, with the options documented in collector.py.
    init(in folder: TrackctlFolder, _ options: [String] = []) async throws {
        log = folder("collector-\(UUID().uuidString).log")
        guard let script = Bundle.module.url(forResource: "Resources/collector", withExtension: "py") else {
            throw NotStarted(stderr: "collector.py is not among the tests' resources")
        }
        program = try RunningProgram("/usr/bin/env", ["python3", script.path, log] + options)
        guard let port = await program.lines.first(where: { _ in true }) else {
            throw NotStarted(stderr: await program.end().stderr)
        }
        url = "http://127.0.0.1:\(port)/events"
    }

    struct NotStarted: Error {
        let stderr: String
    }

    /// The number of requests received, including unanswered ones.
    var arrivals: Int { program.lineCount - 1 }

    /// All requests so far, in order.
    func requests() throws -> [Request] {
        let bytes = FileManager.default.contents(atPath: log) ?? Data()
        return try bytes.split(separator: UInt8(ascii: "\n")).map { Request(json: try JSONParser.parse($0)) }
    }

    /// The accepted requests.
    func taken() throws -> [Request] { try requests().filter { $0.status == 200 } }
}
