/// A node in the tree of routers. It owns its interactor and its children; the last child is on the screen.
@MainActor
class Router {
    /// The interactor of this node.
    let interactor: any Interactor
    /// The children, from the bottom to the visible child.
    private(set) var children: [Router] = []

    init(interactor: any Interactor) { self.interactor = interactor }

    /// Shows a child.
    func attach(_ child: Router) {
        children.append(child)
        child.interactor.didAppear()
    }

    /// Removes children; the child below them appears again.
    ///
    /// - Parameter count: The number of children to remove, from the visible child down; at most the number of
    ///   children.
    func detach(last count: Int) {
        guard count > 0, !children.isEmpty else { return }
        children.removeLast(min(count, children.count))
        children.last?.interactor.didAppear()
    }
}

/// Makes the decisions of a node of the tree.
@MainActor
protocol Interactor: AnyObject {
    /// Call when the node appeared: for the first time, or again after the node above it was removed.
    func didAppear()
}
