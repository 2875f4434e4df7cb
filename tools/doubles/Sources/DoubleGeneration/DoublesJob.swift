/// The inputs and outputs of a run of the generator.
package struct DoublesJob: Sendable {
    /// Swift files, and folders with Swift files at any depth.
    package var inputs: [String]
    /// The folder for the doubles. Generated files without a source are removed.
    package var output: String
    /// The module of the protocols; nil if the doubles are in the same module.
    package var module: String?
    /// The access level of the doubles; at most the protocol's.
    package var access = Access.internal

    package init(inputs: [String], output: String) {
        self.inputs = inputs
        self.output = output
    }

    /// Generates the doubles, and writes them or compares them with the existing files.
    ///
    /// - Parameter isCheck: Whether to compare without writing.
    /// - Returns: The names of the written files, and `<name>: removed` for the removed files.
    /// - Throws: ``DoublesError``. Nothing is written if a source has an error.
    @discardableResult
    package func run(isCheck: Bool = false) throws(DoublesError) -> [String] {
        let files = try generatedFiles()
        let folder = GeneratedFolder(path: output)
        guard isCheck else { return try folder.write(files) }
        try folder.check(files)
        return []
    }

    /// Generates the doubles.
    func generatedFiles() throws(DoublesError) -> [GeneratedFile] {
        let sources = try SourceFiles(inputs).read()
        let library = try ProtocolLibrary(sources)
        guard !library.marked.isEmpty else {
            throw DoublesError(
                .noInput,
                "no protocol in \(inputs.joined(separator: ", ")) has a mark; write `// \(Mark.text)` above a protocol")
        }
        return try DoublesWriter(library: library, module: module, access: access).files()
    }
}
