internal import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import Primitives

/// The remote switches that the collector serves: a file's document, signed. Thread-safe.
///
/// The newest valid document is kept in the data folder, and is served until the file has a newer one. The oldest
/// valid signing key signs, so that a new key can be added to apps before it is used.
final class SwitchesKeeper: Sendable {
    /// A signed document as it is served.
    struct Served: Sendable {
        let document: SwitchesDocument
        let payload: [UInt8]
        let body: [UInt8]
        /// The `ETag`. It changes with the document and with the key.
        let tag: String
    }

    private struct State {
        var served: Served?
        /// The state of the files at the last attempt to read them.
        var stamps: [FileStamp?] = []
    }

    private let path: String
    private let keys: SigningKeyFile
    /// The newest document that was served, signed.
    private let copy: String
    private let state = Locked(State())
    /// The reason why the file could not be used at the start, while the kept document is served.
    let openingProblem: StoreError?

    /// Reads the document and signs it.
    ///
    /// - Parameters:
    ///   - path: The file with the document.
    ///   - folder: The data folder, with the signing keys.
    /// - Throws: ``StoreError`` if the file is unusable and no document was kept.
    init(path: String, folder: String) throws(StoreError) {
        self.path = path
        keys = SigningKeyFile(folder: folder)
        copy = "\(folder)/switches.json"
        let kept = try Self.kept(copy)
        do throws(StoreError) {
            if let kept { state.withLock { $0.served = kept } }
            _ = try Self.reload(path, keys: keys, copy: copy, state: state)
            openingProblem = nil
        } catch {
            guard let kept, let key = try Self.key(keys) else { throw error }
            // Signed again, since the key may have been revoked.
            let served = try Self.sign(kept.document, payload: kept.payload, with: key)
            state.withLock { $0.served = served }
            openingProblem = error
        }
    }

    /// The document to serve.
    var served: Served? { state.withLock { $0.served } }

    /// Reads the document and the keys again if they changed. Keeps the document that is served if the file or the
    /// keys are unusable; reports this once for each change.
    ///
    /// - Returns: The new document; nil if nothing changed.
    /// - Throws: ``StoreError``.
    func reload() throws(StoreError) -> Served? { try Self.reload(path, keys: keys, copy: copy, state: state) }

    private static func reload(
        _ path: String, keys: SigningKeyFile, copy: String, state: borrowing Locked<State>
    ) throws(StoreError) -> Served? {
        let stamps = [FileStamp(path), FileStamp(keys.path)]
        let (isSame, former) = state.withLock { state in
            defer { state.stamps = stamps }
            return (state.stamps == stamps, state.served)
        }
        if isSame { return nil }
        guard let key = try key(keys) else {
            throw StoreError(
                .cannotOpen, "there is no key to sign \(path); run 'collector keys add NAME --signing'")
        }
        let (document, payload) = try read(path)
        if let former {
            let version = document.version
            guard version >= former.document.version else {
                throw StoreError(
                    .damaged,
                    "cannot use \(path): its version \(version) is lower than \(former.document.version), which is "
                        + "served; raise the version")
            }
            guard version > former.document.version || payload == former.payload else {
                throw StoreError(
                    .damaged,
                    "cannot use \(path): it has changed, but not its version \(version); raise the version")
            }
        }
        let served = try sign(document, payload: payload, with: key)
        if served.tag == former?.tag { return nil }
        try PrivateTextFile.replace(copy, with: served.body + [0x0A])
        state.withLock { $0.served = served }
        return served
    }

    /// Reads and validates a document.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    static func read(_ path: String) throws(StoreError) -> (document: SwitchesDocument, payload: [UInt8]) {
        let bytes: Data
        do {
            // One byte more than allowed, so that a longer file is recognized.
            bytes =
                try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                .read(upToCount: SwitchesDocument.maximumBytes + 1) ?? Data()
        } catch {
            throw StoreError(
                .cannotOpen, "cannot read \(path); check the path and its permissions", underlyingError: error)
        }
        do throws(SwitchesDocument.Invalid) {
            return (try SwitchesDocument(Array(bytes)), Array(bytes))
        } catch {
            throw StoreError(.damaged, "cannot use \(path): \(error); correct the document")
        }
    }

    /// The document that was kept, unsigned; nil if there is none, or if it can't be read.
    private static func kept(_ path: String) throws(StoreError) -> Served? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        // A damaged file loses the kept version, so a reload to a lower version is not detected.
        guard let payload = (try? SignedSwitches(Array(bytes)))?.payload,
            let document = try? SwitchesDocument(payload)
        else { return nil }
        return Served(document: document, payload: payload, body: [], tag: "")
    }

    /// The key that signs: the oldest valid one.
    private static func key(_ file: SigningKeyFile) throws(StoreError) -> SigningKey? {
        try file.read().first { $0.revokedAt == nil }
    }

    private static func sign(
        _ document: SwitchesDocument, payload: [UInt8], with key: SigningKey
    ) throws(StoreError) -> Served {
        guard let signed = key.sign(payload) else {
            throw StoreError(
                .damaged,
                Ed25519.isAvailable
                    ? "cannot sign with the key \(key.id): its private key is invalid; restore it, or add another key"
                    : Ed25519.isMissing)
        }
        // Of the content, since a signature may contain a random part.
        let digest = SHA256.bytes(of: Array(key.publicKey.text.utf8) + payload).prefix(16).hexadecimal
        return Served(document: document, payload: payload, body: signed.json, tag: "\"\(digest)\"")
    }
}
