/// The secret by which a server recognizes an install.
///
/// It is stored next to the install's id in the database and in the journal's control file, and nowhere else. It must
/// not appear in lines, diagnostics, errors, or the output of `trackctl`.
enum InstallSecret {
    /// Generates 128 random bits with the system's generator.
    ///
    /// - Returns: 32 lowercase hexadecimal digits.
    static func make() -> String { SealedBatch.newID() }

    /// Whether a text has the format of a secret.
    static func isValid(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
