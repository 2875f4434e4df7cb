/// An overlay over a folder, which is not changed, as in a container's image. Needs root and Linux.
public final class Overlay: Sendable {
    /// The mount point.
    public var path: String { mounted.path }
    private let mounted: MountedFolder

    /// Mounts an overlay.
    public init(lower: String, upper: String, work: String) async throws {
        mounted = try await MountedFolder("overlay", options: "lowerdir=\(lower),upperdir=\(upper),workdir=\(work)")
    }
}
