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

// tracking:double
public protocol Hiding {
    init(type: Int)
    init(testDouble: String)
    init?(type: Int, testDouble: String)
    func fill(result: inout Int) -> Int
    func fill(doubled: inout Int, result: inout Int, resultOfCall: inout Int) throws -> Int
    func clear(_ result: inout Int)
}
