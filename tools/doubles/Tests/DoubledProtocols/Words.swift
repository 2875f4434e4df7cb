// tracking:double
public protocol Words {
    func image(for: String) -> Int
    func move(in: Int, where: String, default: Bool)
    func fill(repeat: inout Int) -> Int
    func each(do: (Int) -> Void)
    func find(_ self: Int) -> Int
    func pair(self: Int, `init`: Int)
    func wait(_ await: @autoclosure () -> Int)
    subscript(in: Int) -> Int { get }
    subscript(as: Int, is: Int) -> Int { get set }
    subscript(self: Int, other: Int) -> String { get }
    init(switch: Int)
}

// tracking:double
public protocol `Protocol` {
    func run()
}
