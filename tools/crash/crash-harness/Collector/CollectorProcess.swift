import Foundation
import JSONLines

/// The real `collector`, killed and started again on one data folder.
final class CollectorProcess {
    private let folder: String
    private let workspace: Workspace
    private var child: Child?
    private(set) var starts = 0
    private(set) var writeKey = ""
    private var adminToken = ""
    private var port: UInt16?

    init(_ workspace: Workspace) {
        self.workspace = workspace
        folder = workspace.path("collector-data")
    }

    private var output: String { workspace.path("collector-output") }
    private var errors: String { workspace.path("collector.log") }

    /// Starts it. It does not listen yet.
    func start() throws {
        starts += 1
        port = nil
        child = try Child(
            Programs.collector, ["serve", "--data", folder, "--port", "0"], output: output, errors: errors)
    }

    /// Waits until it listens.
    func awaitPort() throws -> UInt16 {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            for line in text.components(separatedBy: "\n").dropLast() {
                let last = line.split(separator: " ").last.map(String.init) ?? ""
                if line.hasPrefix("write key:") { writeKey = last }
                if line.hasPrefix("admin token:") { adminToken = last }
                if line.hasPrefix("collector: listening"), let found = last.split(separator: ":").last {
                    port = UInt16(found)
                }
            }
            if let port { return port }
            if let end = child?.poll() { throw HarnessError("the collector \(end): see \(errors)") }
            usleep(2000)
        }
        throw HarnessError("the collector does not listen: see \(errors)")
    }

    /// Ends it by SIGKILL.
    func kill() -> ChildEnd? {
        child?.kill()
        return child?.wait(seconds: 60)
    }

    /// Ends it by SIGTERM.
    func end() -> ChildEnd? {
        if let child { _ = Foundation.kill(child.pid, SIGTERM) }
        return child?.wait(seconds: 120)
    }

    /// Reads a page with the admin token.
    func get(_ path: String) throws -> HTTPMessage {
        guard let port, let stream = ByteStream(port: port),
            stream.send(
                Array("GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(adminToken)\r\n\r\n".utf8)),
            let answer = stream.message()
        else { throw HarnessError("the collector does not answer to \(path)") }
        return answer
    }

    /// What `collector doctor` says; empty if nothing is wrong.
    func doctor() throws -> String {
        let said = workspace.path("doctor-output")
        let doctor = try Child(Programs.collector, ["doctor", "--data", folder], output: said, errors: errors)
        let end = doctor.wait(seconds: 300)
        let text = String(decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
        return end == .exited(0) ? "" : "\(end.map { "\($0)" } ?? "hung"): \(text)"
    }
}
