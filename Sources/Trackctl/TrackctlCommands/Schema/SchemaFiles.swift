internal import LogFiles
internal import TrackingPlan

/// Writes files beside schemas.
struct SchemaFiles {
    let folder: PlanFolder

    /// Writes files; each is the old or the new one at any moment, never half of it.
    ///
    /// - Throws: `LogFileError`, as `UnfinishedFile`.
    func write(_ files: [PlanFile]) throws {
        for file in files {
            let path = folder.place(of: file.path)
            let draft = try UnfinishedFile(path: path)
            try file.bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: draft.descriptor, name: path) }
            try draft.publish()
        }
    }
}
