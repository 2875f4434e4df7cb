/// A node in the tree of routers: it holds its interactor and its children, the one on the screen last.
@MainActor
class Router {
    /// Decides for this node.
    let interactor: any Interactor
    /// The children, from the one at the bottom to the one on the screen.
    private(set) var children: [Router] = []

    init(interactor: any Interactor) { self.interactor = interactor }

    /// Puts a child on the screen.
    func attach(_ child: Router) {
        children.append(child)
        child.interactor.didAppear()
    }

    /// Takes children from the screen; the one below them appears again.
    ///
    /// - Parameter count: How many, from the one on the screen down; at most as many as there are.
    func detach(last count: Int) {
        guard count > 0, !children.isEmpty else { return }
        children.removeLast(min(count, children.count))
        children.last?.interactor.didAppear()
    }
}

/// Decides what a node of the tree does.
@MainActor
protocol Interactor: AnyObject {
    /// The node came to the screen: first, or again because what covered it went away.
    func didAppear()
}
