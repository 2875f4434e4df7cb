/// Has no mark: it is read because a marked one inherits it.
public protocol Clearing {
    func clear()
    func clear(_ all: Bool)
    var isEmpty: Bool { get }
}
