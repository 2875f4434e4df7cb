internal import Foundation

/// The small session that ships with the sample.
public enum SampleFiles {
    /// The path of a few records of activity.
    ///
    /// - Throws: ``MissingSample`` if the program was moved away from its resources.
    public static func activity() throws -> String { try path("sample-activity") }

    /// The path of a few repositories.
    ///
    /// - Throws: ``MissingSample``, as ``activity()``.
    public static func repositories() throws -> String { try path("sample-repositories") }

    private static func path(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: "jsonl") else {
            throw MissingSample(name: name)
        }
        return url.path
    }
}

/// The program was moved away from its resources.
public struct MissingSample: Error, CustomStringConvertible {
    /// The file's name without ending.
    public let name: String

    /// What is wrong and what to do.
    public var description: String {
        "\(name).jsonl, which ships with the sample, is not beside the program: name a file with --activity"
    }
}
