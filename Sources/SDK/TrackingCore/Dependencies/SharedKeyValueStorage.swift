package import EventLog

/// Storage that other processes may change, too.
package protocol SharedKeyValueStorage: KeyValueStorage {
    /// Reads the present values, with the changes of other processes.
    ///
    /// - Throws: As ``KeyValueStorage/string(forKey:)``.
    func contents() throws -> [String: String]

    /// Reads the present values, without creating or changing anything. Empty if there are none, or they are damaged.
    ///
    /// - Throws: As ``KeyValueStorage/string(forKey:)``.
    func peek() throws -> [String: String]

    /// Changes several values in one step: no other change comes between reading and storing.
    ///
    /// - Parameter change: Gets the present values. Must be short, and must not use the storage. If it throws, nothing is
    ///   stored.
    /// - Throws: The error of `change`; as ``KeyValueStorage/set(_:forKey:)``.
    func update(_ change: (inout [String: String]) throws -> Void) throws

    /// The damage that this object found since the last call, for one report; nil if there is none.
    ///
    /// To learn whether values were lost, also in another process or an earlier run, see
    /// ``FileKeyValueStorage/damagedFileKey``.
    func takeDamage() -> EventLogError?
}
