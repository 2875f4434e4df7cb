import Foundation

/// The tools in Python that are compared with: where they are installed.
struct PythonEnvironment {
    /// The folder of the virtual environment.
    let folder: String

    /// Installs them where they are not yet.
    init() throws {
        let folder = try LogFolder()
        let script = Self.file("python-environment")
        _ = try ChildUsage.of(script, [], output: folder("environment"))
        let answer = FileManager.default.contents(atPath: folder("environment")) ?? Data()
        self.folder = String(decoding: answer, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
    }

    var python: String { folder + "/bin/python" }

    /// The program itself, not the script in Python that starts it.
    func sourcemeta() throws -> String {
        let package = "sourcemeta_jsonschema/jsonschema-" + Self.system
        let libraries = folder + "/lib"
        let versions = try FileManager.default.contentsOfDirectory(atPath: libraries)
        let locations = versions.map { "\(libraries)/\($0)/site-packages/\(package)" }
        guard let location = locations.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw BenchmarkFailure("cannot find \(package) in \(libraries)")
        }
        return location
    }

    private static var system: String {
        #if os(Linux)
            let system = "linux"
        #else
            let system = "darwin"
        #endif
        #if arch(arm64)
            return system + "-arm64"
        #else
            return system + "-x86_64"
        #endif
    }

    /// A file next to the benchmarks.
    static func file(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()  // Runner
            .deletingLastPathComponent().appendingPathComponent(name).path
    }
}
