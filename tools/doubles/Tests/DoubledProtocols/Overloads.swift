// tracking:double
public protocol Preferences {
    func set(_ value: Int, forKey key: String)
    func set(_ value: String, forKey key: String)
    func set(_ value: Bool, for user: Int)
    func value() -> Int
    func value() async -> String
    func reload()
    func reload(after seconds: Int)
    var name: String { get }
    func name(of user: Int) -> String
    func `default`(_ number: Int) -> Int
}
