/// A folder over another one, which stays as it is, as in a container's image. Needs root and Linux.
public final class Overlay: Sendable {
    /// Where it is mounted.
    public var path: String { mounted.path }
    private let mounted: MountedFolder

    /// Mounts one.
    public init(lower: String, upper: String, work: String) async throws {
        mounted = try await MountedFolder("overlay", options: "lowerdir=\(lower),upperdir=\(upper),workdir=\(work)")
    }
}
