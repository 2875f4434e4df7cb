internal import CommandSupport
internal import EventImport
internal import Foundation
internal import TrackctlCommands
internal import TrackingCore

/// Specs of `assert` and mappings of `import`: any file is parsed, or rejected at a line and column; a mapping converts a
/// line to a container.
///
/// An input is a file, a byte 0x1E, which never occurs in JSON text, and a line to import.
package final class SpecsTarget: FuzzTarget {
    package static let name = "specs"

    private static let separator: UInt8 = 0x1E

    private let file: ScratchFile

    package init() throws { file = try ScratchFile() }

    package func seeds() throws -> [[UInt8]] {
        let mapping = try FuzzFiles.bytes(
            of: FuzzFiles.root.appendingPathComponent("Sources/Examples/Imports/github-activity.json"))
        return SpecSeeds.specs.map { Array($0.utf8) }
            + ([mapping] + SpecSeeds.mappings.map { Array($0.utf8) }).flatMap { mapping in
                SpecSeeds.lines.map { mapping + [Self.separator] + Array($0.utf8) }
            }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let end = bytes.firstIndex(of: Self.separator) ?? bytes.count
        let content = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        try file.replace(with: content)
        _ = try read(content) { try AssertionSpec(path: $0) }
        guard let mapping = try read(content, { try ImportMapping(path: $0) }) else { return }
        let line = Array(bytes.dropFirst(end + 1).prefix { $0 != UInt8(ascii: "\n") })
        guard let foreign = try? ForeignLine(line) else { return }  // any other line is reported before
        let made = try Self.event(mapping, foreign)
        try require(
            made?.line == (try Self.event(mapping, foreign))?.line, "importing a line twice gives different events")
        guard let made else { return }
        try require(made.installID == mapping.installID && made.seq == 1, "an event is not the mapping's")
    }

    private static func event(_ mapping: ImportMapping, _ line: ForeignLine) throws -> RecordedContainer? {
        var importer = LineImporter(mapping)
        do { return try importer.event(of: line) } catch is Refusal { return nil }
    }

    /// Parses the file; nil if it is rejected, which must be at a position within it.
    private func read<Spec>(_ content: UnsafeRawBufferPointer, _ body: (String) throws -> Spec) throws -> Spec? {
        do { return try body(file.path) } catch let failure as CommandFailure {
            try require(failure.status == .dataError, "a file is rejected with \(failure.status): \(failure.message)")
            // An empty file has no positions.
            guard !content.isEmpty else { return nil }
            let location = failure.message.dropFirst(file.path.count).split(separator: ":", maxSplits: 2)
            guard failure.message.hasPrefix(file.path + ":"), location.count == 3, let line = Int(location[0]),
                let column = Int(location[1])
            else { throw FuzzIssue("a file is rejected without a position") }
            let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            try require(
                lines.indices.contains(line - 1) && (1...lines[line - 1].count + 1).contains(column),
                "a file is rejected at \(line):\(column), which is outside of it")
            return nil
        }
    }
}
