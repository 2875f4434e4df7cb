internal import EventLog
internal import EventModel
internal import Foundation

extension SinkFiles {
    /// A compressed file, which may have events of the users.
    struct Compressed: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) is compressed; decompress it or remove it" }
    }

    /// Removes users' events from all files: the open one, finished ones, and those that were set aside. Call with the
    /// sink's lock held.
    ///
    /// - Returns: The sink's checkpoint from now on.
    /// - Throws: ``Compressed`` after all other files were rewritten; errors of Foundation and of
    ///   ``PrivateFile``. Call it again to continue.
    func erase(_ request: ErasureRequest) throws -> FileCheckpoint? {
        let erasure = LineErasure(of: request.userIDs)
        let former = FileCheckpoint(request.checkpoint)
        var checkpoint = try renewed(former)
        let delivered = try checkpoint.flatMap { own in
            let isOpen = try openFirstSeq() == own.firstSeq && openLength() ?? 0 >= own.bytes
            let isFinished = try finishedLength(firstSeq: own.firstSeq) == own.bytes
            return isOpen ? open : isFinished ? finished(own.firstSeq) : nil
        }
        var compressed: String?
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() {
            let path = directory.appendingPathComponent(name).path
            let isDraft = name.hasSuffix(LineErasure.draftSuffix)
            let owner = isDraft ? String(name.dropLast(LineErasure.draftSuffix.count)) : name
            guard owner == "\(fileName).jsonl" || isRemovable(owner, before: .max) else { continue }
            guard !isDraft else {
                unlink(path)
                continue
            }
            if [".gz", ".zst"].contains(where: name.hasSuffix) {
                compressed = name
            } else if path != delivered {
                try erasure.rewrite(path)
            } else if let own = checkpoint {
                try erasure.rewrite(path, upTo: path == open ? own.bytes : nil) { rest in
                    let first = path == open ? rest.first.flatMap(RecordedContainer.init(validating:)) : nil
                    // A finished file keeps its name.
                    let start = path == open ? first.map { ($0.seq, $0.time) } : (own.firstSeq, own.firstTime)
                    checkpoint = start.map { seq, time in
                        FileCheckpoint(firstSeq: seq, firstTime: time, bytes: rest.bytes, removed: own.removed)
                    }
                    try noteRenewed(former, checkpoint, in: rest.fileNumber)
                }
            }
        }
        if let compressed { throw Compressed(name: compressed) }
        return checkpoint
    }

    // MARK: The checkpoint after an erasure, until the log has it

    private var renewedPath: String { directory.appendingPathComponent(".\(fileName).jsonl.erased").path }

    /// The checkpoint that replaces one of the log, if the process ended during an erasure after the file was replaced and
    /// before the log had the checkpoint.
    func renewed(_ checkpoint: FileCheckpoint?) throws -> FileCheckpoint? {
        guard let checkpoint, let bytes = try Self.head(of: renewedPath, 4096) else { return checkpoint }
        let texts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if texts.count == 3, texts[0] == checkpoint.text, let fileNumber = UInt64(texts[2]) {
            let renewed = FileCheckpoint(String(texts[1]))
            // A delivery may have finished the new file since.
            let paths = [open] + (renewed.map { [finished($0.firstSeq)] } ?? [])
            if try paths.contains(where: { try number(of: $0) == fileNumber }) { return renewed }
        }
        unlink(renewedPath)
        return checkpoint
    }

    private func noteRenewed(_ former: FileCheckpoint?, _ renewed: FileCheckpoint?, in fileNumber: UInt64) throws {
        guard let former else { return }
        unlink(renewedPath)
        let descriptor = try PrivateFile.open(renewedPath, O_WRONLY | O_CREAT | O_EXCL)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data("\(former.text)\n\(renewed?.text ?? "")\n\(fileNumber)".utf8))
        try handle.synchronize()
    }
}
