/// Where a loader writes blocks.
package protocol WarehouseStore: AnyObject {
    /// The store in messages.
    var name: String { get }

    /// Creates tables or folders that are missing.
    ///
    /// - Parameter stream: Identifies the stream. The numbers of blocks start again with each stream, so a store of another
    ///   one is rejected.
    /// - Throws: `LoaderError`.
    func prepare(stream: String) throws(LoaderError)

    /// Writes a block. When this returns, the block's rows are stored once and synced, however often it was called.
    ///
    /// - Parameter isInDoubt: Whether an earlier call, by this process or another, may have stored rows of the block.
    /// - Throws: `LoaderError`. Call it again with the same block then.
    func write(_ block: Block, isInDoubt: Bool) throws(LoaderError)
}
