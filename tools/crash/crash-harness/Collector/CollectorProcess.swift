import Foundation

/// The real `collector`, repeatedly killed and restarted on one data folder.
final class CollectorProcess {
    private let folder: String
    private let workspace: Workspace
    /// Further options.
    private let arguments: [String]
    private var child: Child?
    private(set) var starts = 0
    /// How often an injected error prevented it from opening its folder, so that it ended with an error's exit code.
    private(set) var failedStarts = 0
    private var rule: FaultRule?
    private(set) var writeKey = ""
    private(set) var port: UInt16?

    /// - Parameter arguments: Further options of `collector serve`.
    init(_ workspace: Workspace, _ arguments: [String] = []) {
        self.workspace = workspace
        self.arguments = arguments
        // Absolute, as in the paths of `fault-injector`.
        folder = URL(fileURLWithPath: workspace.path).resolvingSymlinksInPath().path + "/collector-data"
    }

    /// The admin token of the first start; empty before.
    var adminToken: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/admin-token") ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }

    private var output: String { workspace.path("collector-output") }
    private var errors: String { workspace.path("collector.log") }

    /// Starts it, without waiting for it to listen.
    ///
    /// - Parameter rule: The calls on segments and index that fail.
    func start(_ rule: FaultRule? = nil) throws {
        starts += 1
        port = nil
        self.rule = rule
        child = try Child(
            Programs.collector, ["serve", "--data", folder, "--port", "0"] + arguments, output: output, errors: errors,
            environment: rule?.environment(folder: folder + "/store") ?? [:])
    }

    /// The number of calls that failed.
    func strikes() throws -> Int { try FaultRule.strikes(saidIn: errors) }

    /// Waits until it listens. If an injected error prevented it from opening its folder, restarts it without errors.
    func awaitPort() throws -> UInt16 {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            for line in text.components(separatedBy: "\n").dropLast() {
                let last = line.split(separator: " ").last.map(String.init) ?? ""
                if line.hasPrefix("write key:") { writeKey = last }
                if line.hasPrefix("collector: listening"), let found = last.split(separator: ":").last {
                    port = UInt16(found)
                }
            }
            if let port { return port }
            if let end = child?.poll() {
                guard isFailedStart(end) else { throw HarnessError("the collector \(end); see \(errors)") }
                try start()
            }
            usleep(2000)
        }
        throw HarnessError("the collector does not listen; see \(errors)")
    }

    /// Whether it ended with an error because a call failed before it listened; counts such starts.
    func isFailedStart(_ end: ChildEnd?) -> Bool {
        guard rule != nil, port == nil, case .exited(let code) = end, code != 0 else { return false }
        failedStarts += 1
        return true
    }

    /// Ends it with SIGKILL.
    func kill() -> ChildEnd? {
        child?.kill()
        return child?.wait(seconds: 60)
    }

    /// Ends it with SIGTERM.
    func end() -> ChildEnd? {
        if let child { _ = Foundation.kill(child.pid, SIGTERM) }
        return child?.wait(seconds: 120)
    }

    /// Reads an endpoint with the admin token.
    func get(_ path: String) throws -> HTTPMessage {
        guard let port, let stream = ByteStream(port: port),
            stream.send(
                Array("GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(adminToken)\r\n\r\n".utf8)),
            let answer = stream.message()
        else { throw HarnessError("the collector does not respond to \(path)") }
        return answer
    }

    /// The value of a metric; nil if there is none.
    func metric(_ name: String) throws -> Double? {
        let text = String(decoding: try get("/metrics").body, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// The output of `collector doctor`; empty without findings.
    func doctor() throws -> String {
        let said = workspace.path("doctor-output")
        let doctor = try Child(Programs.collector, ["doctor", "--data", folder], output: said, errors: errors)
        let end = doctor.wait(seconds: 300)
        let text = String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
        return end == .exited(0) ? "" : "\(end.map { "\($0)" } ?? "hung"): \(text)"
    }
}
