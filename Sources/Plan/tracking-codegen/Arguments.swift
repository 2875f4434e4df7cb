internal import PlanCodegen

/// The command-line arguments. Parsed by hand, so that apps that build the tool need no further packages.
struct Arguments {
    var job: GenerationJob
    var isCheck = false

    /// Parses arguments; nil if help is requested.
    init?(_ arguments: some Sequence<String>) throws(ArgumentError) {
        job = GenerationJob(schemas: "")
        var rest = Array(arguments)[...]
        func value(of option: String) throws(ArgumentError) -> String {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                throw ArgumentError(message: "\(option) needs a value")
            }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": return nil
            case "--check": isCheck = true
            case "--standard": job.isStandard = true
            case "--schemas": job.schemas = try value(of: option)
            case "--output": job.folder = try value(of: option)
            case "--domain-events":
                job.domainEvents = Set(try value(of: option).split(separator: ",").map(String.init))
            case "--domain-output": job.domainFolder = try value(of: option)
            case "--output-file": job.file = try value(of: option)
            case "--pages": job.pages = try value(of: option)
            case "--examples": job.examples = try value(of: option)
            case "--examples-import": job.examplesImport = try value(of: option)
            case "--embed": job.embedded = try value(of: option)
            case "--access":
                let text = try value(of: option)
                guard let access = Access(rawValue: text) else {
                    throw ArgumentError(message: "invalid access level \(text): use public, package or internal")
                }
                job.access = access
            default: throw ArgumentError(message: "unknown option \(option)")
            }
        }
        guard !job.schemas.isEmpty else { throw ArgumentError(message: "missing option --schemas DIR") }
        guard job.domainEvents.isEmpty == (job.domainFolder == nil) else {
            throw ArgumentError(message: "--domain-events and --domain-output must be used together")
        }
        guard [job.folder, job.file, job.pages, job.examples, job.embedded].contains(where: { $0 != nil }) else {
            throw ArgumentError(message: "missing output: pass --output DIR or --output-file FILE")
        }
    }
}

/// An error in the command line.
struct ArgumentError: Error {
    let message: String
}
