import ArgumentParser
import DoubleGeneration
import Foundation

@main
struct TrackingDoubles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking-doubles",
        abstract: "Makes test doubles of the protocols with the comment '// tracking:double' above them.",
        discussion: """
            Exit codes: 0 done; 1 with --check, a file is not what the protocols say; 64 wrong usage; 65 a protocol cannot \
            become a double; 66 no such input, or nothing in it is marked; 74 a file cannot be read or written, \
            or was not made by tracking-doubles.
            """)

    @Option(
        name: .customLong("input"),
        help: ArgumentHelp("A Swift file, or a folder with Swift files at any depth. Several.", valueName: "path"))
    var inputs: [String]

    @Option(
        help: ArgumentHelp(
            "Gets a file for each source with marked protocols; generated files that no source asks for are removed.",
            valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The module of the protocols, if the doubles belong to another.", valueName: "name"))
    var module: String?

    @Option(
        help: ArgumentHelp(
            "public, package or internal (default: internal); never more than the protocol's.", valueName: "level"),
        transform: Self.access)
    var access: Access?

    @Flag(help: "Write nothing; fail if a file is not what the protocols say.")
    var check = false

    func run() throws {
        var job = DoublesJob(inputs: inputs, output: output)
        job.module = module
        job.access = access ?? job.access
        do {
            for name in try job.run(isCheck: check) { print(name) }
        } catch {
            FileHandle.standardError.write(Data((error.message + "\n").utf8))
            throw ExitCode(error.code.exitStatus)
        }
    }

    @Sendable
    private static func access(_ text: String) throws -> Access {
        guard let access = Access(text) else { throw ValidationError("write public, package or internal") }
        return access
    }
}
