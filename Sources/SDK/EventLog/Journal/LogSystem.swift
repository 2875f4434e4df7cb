/// How a log sees the system: whether other writers are alive, and when files are synced. Tests and the crash harness pass
/// another one.
package struct LogSystem: Sendable {
    /// Returns whether to treat a writer as alive, given whether it is by its lock or its heartbeat. A wrong result may
    /// cause a delay, but never a lost or duplicate event.
    package var judge: @Sendable (_ isAlive: Bool) -> Bool = { $0 }
    /// Called before each sync of a file or a folder.
    package var willSync: @Sendable (DiskOrder.Step) -> Void = { _ in }

    package init() {}
}
