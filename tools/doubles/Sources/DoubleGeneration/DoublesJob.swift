/// What one call of the generator makes, and where it puts it.
package struct DoublesJob: Sendable {
    /// Swift files, and folders with Swift files in them at any depth.
    package var inputs: [String]
    /// The folder for the doubles. Generated files in it that no source asks for are removed.
    package var output: String
    /// The module of the protocols; nil if the doubles belong to it themselves.
    package var module: String?
    /// Who may see the doubles; no more than see the protocol.
    package var access = Access.internal

    package init(inputs: [String], output: String) {
        self.inputs = inputs
        self.output = output
    }

    /// Makes the doubles and writes them, or compares them with what is there.
    ///
    /// - Parameter isCheck: Whether nothing is written.
    /// - Returns: The names of the files that were written, and `<name>: removed` for the others.
    /// - Throws: ``DoublesError``, before anything is written if it is the sources' fault.
    @discardableResult
    package func run(isCheck: Bool = false) throws(DoublesError) -> [String] {
        let files = try generatedFiles()
        let folder = GeneratedFolder(path: output)
        guard isCheck else { return try folder.write(files) }
        try folder.check(files)
        return []
    }

    /// Makes the doubles.
    func generatedFiles() throws(DoublesError) -> [GeneratedFile] {
        let sources = try SourceFiles(inputs).read()
        let library = try ProtocolLibrary(sources)
        guard !library.marked.isEmpty else {
            throw DoublesError(
                .noInput,
                "no protocol in \(inputs.joined(separator: ", ")) is marked: write `// \(Mark.text)` above one")
        }
        return try DoublesWriter(library: library, module: module, access: access).files()
    }
}
