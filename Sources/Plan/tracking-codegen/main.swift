internal import Foundation
internal import PlanCodegen

let usage = """
    tracking-codegen --schemas DIR (--output DIR | --output-file FILE | --pages FILE | …)

    Generates Swift types from the events in a folder of JSON Schemas, the pages in its pages.json, and the
    events that its unplanned.json allows without a schema.
      --output DIR        Write a file for each event and one for the pages; remove generated files that are not needed.
      --output-file FILE  Write all events and the pages to one file.
      --pages FILE        Write only the pages.
      --examples FILE     Write a function that creates the schemas' examples.
      --examples-import MODULE  The module that FILE imports, in addition to TrackingCore.
      --embed FILE        Write the schemas themselves, for the SDK.
      --access LEVEL      public, package or internal (default: internal).
      --standard          Generate code for the SDK itself.
      --domain-events NAME,NAME  With --standard: events whose types are in TrackingDomainEvents.
      --domain-output DIR        Write a file for each of these events.
      --check             Write nothing; fail if a file does not match the schemas.

    Exit codes: 0 done; 1 with --check, a file does not match the schemas; 64 wrong usage; 65 a schema is invalid, \
    or there is none; 66 the folder does not exist; 74 a file cannot be read or written.

    """

func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

extension CodegenError.Code {
    /// The exit status: 1 for a failed check, else a number of sysexits(3).
    var exitStatus: Int32 {
        switch self {
        case .stale: 1
        case .schemas: 65
        case .noFolder: 66
        case .inputOutput: 74
        }
    }
}

do {
    guard let arguments = try Arguments(CommandLine.arguments.dropFirst()) else {
        FileHandle.standardOutput.write(Data(usage.utf8))
        exit(0)
    }
    for name in try arguments.job.run(isCheck: arguments.isCheck) { print(name) }
} catch let error as ArgumentError {
    fail(64, "tracking-codegen: \(error.message)\n\n\(usage)")
} catch let error as CodegenError {
    fail(error.code.exitStatus, error.message)
} catch {
    fail(74, "tracking-codegen: \(error)")
}
