/// What an install proves itself with to a server that it has delivered to before.
///
/// It stands next to the install's id in the database and in the journal's control file, and nowhere else: not in lines,
/// diagnostics, errors, or what `trackctl` prints.
enum InstallSecret {
    /// Draws 128 bits from the system's generator.
    ///
    /// - Returns: 32 hexadecimal digits in lower case.
    static func make() -> String { SealedBatch.newID() }

    /// Whether a text has the form of a secret.
    static func isValid(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
