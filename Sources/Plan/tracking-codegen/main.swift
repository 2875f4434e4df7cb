internal import Foundation
internal import PlanCodegen

let usage = """
    tracking-codegen --schemas DIR (--output DIR | --output-file FILE | --pages FILE | …)

    Makes Swift types of the events in a folder of JSON Schemas, of the pages in its pages.json, and of the
    events that its unplanned.json allows without a schema.
      --output DIR        a file for each event, and one for the pages; generated files that are not asked for any more are removed
      --output-file FILE  all events, and the pages, in one file
      --pages FILE        the pages alone
      --examples FILE     a function that makes the events which the schemas give as examples
      --examples-import MODULE  the module that FILE imports, in addition to TrackingCore
      --embed FILE        the schemas themselves, for the SDK
      --access LEVEL      public, package or internal; internal unless given
      --standard          for the SDK itself
      --domain-events NAME,NAME  with --standard: events whose types are in TrackingDomainEvents
      --domain-output DIR        a file for each of these
      --check             writes nothing; fails if a file is not what the schemas say

    Exit codes: 0 done; 1 with --check, a file is not what the schemas say; 64 wrong usage; 65 a schema is at fault, \
    or there is none; 66 no such folder; 74 a file cannot be read or written.

    """

func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

extension CodegenError.Code {
    /// What the program ends with: 1 for a check that fails, else in the numbers of sysexits(3).
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
