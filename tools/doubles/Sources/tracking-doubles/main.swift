import DoubleGeneration
import Foundation

let usage = """
    tracking-doubles --input PATH … --output DIR [--module NAME] [--access LEVEL] [--check]

    Makes test doubles of the protocols with the comment `// tracking:double` above them.
      --input PATH    a Swift file, or a folder with Swift files at any depth; may be given more than once
      --output DIR    a file for each source with marked protocols; generated files that no source asks for any more
                      are removed
      --module NAME   the module of the protocols, if the doubles belong to another
      --access LEVEL  public, package or internal; internal unless given, and never more than the protocol's
      --check         writes nothing; fails if a file is not what the protocols say

    Exit codes: 0 done; 1 with --check, a file is not what the protocols say; 64 wrong usage; 65 a protocol cannot \
    become a double; 66 no such input, or nothing in it is marked; 74 a file cannot be read or written.

    """

func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

do {
    guard let arguments = try Arguments(CommandLine.arguments.dropFirst()) else {
        FileHandle.standardOutput.write(Data(usage.utf8))
        exit(0)
    }
    for name in try arguments.job.run(isCheck: arguments.isCheck) { print(name) }
} catch let error as ArgumentError {
    fail(64, "tracking-doubles: \(error.message)\n\n\(usage)")
} catch let error as DoublesError {
    fail(error.code.exitStatus, error.message)
} catch {
    fail(74, "tracking-doubles: \(error)")
}
