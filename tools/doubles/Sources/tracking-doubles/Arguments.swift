import DoubleGeneration

/// What the program was called with.
struct Arguments {
    var job: DoublesJob
    var isCheck = false

    /// Reads arguments; nil if only help is asked for.
    init?(_ arguments: some Sequence<String>) throws(ArgumentError) {
        var inputs: [String] = []
        var output: String?
        job = DoublesJob(inputs: [], output: "")
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
            case "--input": inputs.append(try value(of: option))
            case "--output": output = try value(of: option)
            case "--module": job.module = try value(of: option)
            case "--access":
                let text = try value(of: option)
                guard let access = Access(text) else {
                    throw ArgumentError(message: "\(text) is no access level: public, package or internal")
                }
                job.access = access
            default: throw ArgumentError(message: "\(option) is no option")
            }
        }
        guard !inputs.isEmpty else { throw ArgumentError(message: "--input is missing") }
        guard let output else { throw ArgumentError(message: "--output is missing") }
        job.inputs = inputs
        job.output = output
    }
}

/// A call that the program does not understand.
struct ArgumentError: Error {
    let message: String
}
