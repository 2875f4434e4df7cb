public import Foundation

/// What a command left behind.
public struct CommandResult: Sendable {
    /// Its exit code; nil if a signal ended it.
    public let exitCode: Int32?
    /// The signal that ended it; nil if it exited.
    public let signal: Int32?
    /// Its standard output.
    public let output: Data
    /// Its standard error.
    public let errors: String

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs the commands that were built beside the test bundle, as real processes.
public enum CommandRunner {
    /// The folder of the built commands.
    public static let builtProducts: URL = {
        // On Apple systems the tests are a bundle in that folder; elsewhere they are the running program.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let program = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return program.deletingLastPathComponent()
    }()

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - name: A built product, or an absolute path.
    ///   - arguments: Its arguments.
    ///   - input: Its standard input.
    public static func run(_ name: String, _ arguments: [String], input: Data = Data()) throws -> CommandResult {
        let process = Process()
        process.executableURL =
            name.hasPrefix("/") ? URL(fileURLWithPath: name) : builtProducts.appendingPathComponent(name)
        process.arguments = arguments
        let folder = try TemporaryFolder()
        let (outputFile, errorFile, inputFile) = (folder.path("out"), folder.path("err"), folder.path("in"))
        try input.write(to: URL(fileURLWithPath: inputFile))
        for file in [outputFile, errorFile] { try Data().write(to: URL(fileURLWithPath: file)) }
        process.standardInput = FileHandle(forReadingAtPath: inputFile)
        process.standardOutput = FileHandle(forWritingAtPath: outputFile)
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        try process.run()
        process.waitUntilExit()
        let wasKilled = process.terminationReason == .uncaughtSignal
        return CommandResult(
            exitCode: wasKilled ? nil : process.terminationStatus,
            signal: wasKilled ? process.terminationStatus : nil,
            output: try Data(contentsOf: URL(fileURLWithPath: outputFile)),
            errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self))
    }

    /// Runs a built command as the user `nobody`, for whom permissions count. Needs root.
    public static func runAsNobody(_ name: String, _ arguments: [String]) throws -> CommandResult {
        // The build folder may lie where nobody else can enter.
        let folder = try TemporaryFolder(permissions: 0o755)
        let copy = folder.path(name)
        try FileManager.default.copyItem(atPath: builtProducts.appendingPathComponent(name).path, toPath: copy)
        return try run("/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", copy] + arguments)
    }
}
