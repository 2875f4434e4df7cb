import CrashSupport
import Foundation

/// The real `loader`, repeatedly killed and restarted, with a folder as its store.
final class LoaderProcess {
    let folder: String
    private let workspace: Workspace
    private let stream: String
    private var child: Child?

    init(_ workspace: Workspace, stream: String) {
        self.workspace = workspace
        self.stream = stream
        folder = URL(fileURLWithPath: workspace.path).resolvingSymlinksInPath().path + "/warehouse"
    }

    private var errors: String { workspace.path("loader.log") }
    private var common: [String] {
        ["--stream", stream, "--state", workspace.path("loader-state"), "--folder", folder]
    }

    /// Starts it, without waiting until it loads.
    func start() throws {
        child = try Child(
            Programs.loader, ["run"] + common + ["--block-rows", "200", "--block-age", "0.1"], errors: errors)
    }

    /// Ends it with SIGKILL.
    func kill() -> ChildEnd? {
        child?.kill()
        return child?.wait(seconds: 60)
    }

    /// Loads what the stream has now.
    func loadAll() throws -> ChildEnd? {
        let arguments = ["run", "--once", "--block-age", "0.1"] + common
        return try Child(Programs.loader, arguments, errors: errors).wait(seconds: 120)
    }

    /// Runs `loader erase`.
    ///
    /// - Returns: The output; empty if it has ended with 0.
    func erase(_ person: Person, notes: String) throws -> String {
        let (file, output) = (notes + "/user.txt", notes + "/loader-erase")
        try Data("\(person)\n".utf8).write(to: URL(fileURLWithPath: file))
        let arguments = ["erase", "--user-file", file, "--duckdb", "\(StreamServer.programs)/duckdb"] + common
        let child = try Child(Programs.loader, arguments, output: output, errors: output + ".errors")
        let end = child.wait(seconds: 120)
        guard end != .exited(0) else { return "" }
        let texts = [output, output + ".errors"].map { FileManager.default.contents(atPath: $0) ?? Data() }
        let text = String(decoding: texts.joined(), as: UTF8.self).suffix(600)
        return "\(end.map { "\($0)" } ?? "did not end"): \(text)"
    }
}
