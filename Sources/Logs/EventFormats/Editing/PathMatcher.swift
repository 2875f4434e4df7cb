internal import EventModel

/// Follows several paths at once on the way down into a line.
///
/// At each level, the paths that have matched every step so far are active, named by their places in the list.
struct PathMatcher: Sendable {
    let paths: [EventPath]

    /// All paths: those active at the line itself.
    var start: [Int] { Array(paths.indices) }

    /// The active paths that go on to a member. Depth is 0 for members of the line.
    func active(_ active: [Int], depth: Int, name: JSONSpan) -> [Int] {
        active.filter { path in
            guard depth < paths[path].steps.count else { return false }
            switch paths[path].steps[depth] {
            case .name(let wanted): return wanted.withUnsafeBufferPointer { name.isText($0) }
            case .element: return false
            case .any: return true
            }
        }
    }

    /// The active paths that go on to an element.
    func active(_ active: [Int], depth: Int, element: Int) -> [Int] {
        active.filter { path in
            guard depth < paths[path].steps.count else { return false }
            switch paths[path].steps[depth] {
            case .name: return false
            case .element(let wanted): return wanted == element
            case .any: return true
            }
        }
    }

    /// Whether a path's last step leads to this depth.
    func ends(_ path: Int, depth: Int) -> Bool { paths[path].steps.count == depth + 1 }
}
