package import CollectorStore
package import DeliveryProtocol
package import EventModel
internal import JSONLines
internal import Primitives

/// A key that signs remote switches. Contains the private key.
package struct SigningKey: Equatable, Sendable {
    /// What the key is for.
    package var name: String
    package var publicKey: SwitchesPublicKey
    /// The seed of the private key, 32 bytes.
    var privateKey: [UInt8]
    package var createdAt: EventTime
    /// When the key was revoked; nil while it is valid.
    package var revokedAt: EventTime?

    /// The text of the public key, which apps contain.
    package var publicText: String { publicKey.text }

    /// The first characters of the public key.
    package var id: String { publicKey.id }

    /// Generates a random key; nil if the program was built without signatures, see ``Ed25519``.
    package static func draw(name: String, at now: EventTime) -> SigningKey? {
        guard let drawn = Ed25519.draw(), let publicKey = SwitchesPublicKey(bytes: drawn.publicKey) else {
            return nil
        }
        return SigningKey(name: name, publicKey: publicKey, privateKey: drawn.privateKey, createdAt: now)
    }

    /// Signs a document; nil if the private key is damaged, or without signatures.
    package func sign(_ payload: [UInt8]) -> SignedSwitches? {
        guard let signature = Ed25519.signature(of: SignedSwitches.message(payload), privateKey: privateKey) else {
            return nil
        }
        return SignedSwitches(payload: payload, key: id, signature: signature)
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The name and the id, without the private key.
    package var description: String { "\(id)… (\(name))" }

    /// The name and the id, without the private key.
    package var customMirror: Mirror { Mirror(self, children: ["id": id, "name": name]) }
}

/// The file `signing-keys.json` in a data folder, with private keys. Separate from ``KeyFile``, which has digests
/// only. A running collector reloads it when it changes.
package struct SigningKeyFile: Sendable {
    package let path: String

    /// - Parameter folder: The data folder.
    package init(folder: String) { path = "\(folder)/signing-keys.json" }

    private var list: KeyList { KeyList(path: path, advice: "restore the file from a backup") }

    /// Reads the keys; an empty array if the file does not exist.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    package func read() throws(StoreError) -> [SigningKey] {
        var keys: [SigningKey] = []
        for (index, entry) in try list.entries().enumerated() {
            guard let name = entry["name"]?.stringValue,
                let publicKey = entry["public"]?.stringValue.flatMap({ SwitchesPublicKey($0) }),
                let privateKey = entry["private"]?.stringValue.flatMap({ [UInt8](hexadecimal: $0) }),
                privateKey.count == 32, let created = KeyList.time("created_at", of: entry)
            else { throw list.damaged("entry \(index + 1) has no valid name, public, private or created_at") }
            keys.append(
                SigningKey(
                    name: name, publicKey: publicKey, privateKey: privateKey, createdAt: created,
                    revokedAt: KeyList.time("revoked_at", of: entry)))
        }
        return keys
    }

    /// Changes the keys, one process after another.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`, `write-failed`; the error of `change`, after which nothing is written.
    package func update<Value>(_ change: (inout [SigningKey]) throws -> Value) throws -> Value {
        try list.update(read, write, change)
    }

    /// Replaces the file atomically, with mode 0600.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    package func write(_ keys: [SigningKey]) throws(StoreError) {
        try list.write(
            keys.map { key in
                (
                    [
                        ("name", key.name), ("public", key.publicKey.text),
                        ("private", key.privateKey.hexadecimal),
                    ], key.createdAt, key.revokedAt
                )
            })
    }
}
