/// Which lane takes whose events: all of one user's go into one, so that they keep their order.
struct LaneChoice {
    let lanes: Int

    /// The lane of a user: FNV-1a of the id's bytes.
    func lane(of user: UnsafeRawBufferPointer) -> Int {
        guard lanes > 1 else { return 0 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in user { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int((hash ^ hash >> 32) % UInt64(lanes))
    }
}
