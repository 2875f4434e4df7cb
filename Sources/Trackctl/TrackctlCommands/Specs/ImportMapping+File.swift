package import EventImport
internal import JSONLines

extension ImportMapping {
    /// Reads a mapping file.
    ///
    /// - Throws: `CommandFailure`: `noInput`, `inputOutput`; `dataError` with the line and column of the error.
    package init(path: String) throws {
        self = try SpecFile.read(path, noun: "mapping", depth: Self.depth) { root throws(JSONSyntaxError) in
            try ImportMapping(root, now: SelectionOptions.now)
        }
    }
}
