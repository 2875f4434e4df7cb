/// A repository that the server serves.
struct ServedRepository: Equatable, Sendable {
    let id: Int64
    let name: String
    let url: String

    init(_ id: Int64, _ name: String) { (self.id, self.name, url) = (id, name, "https://github.com/one/\(name)") }

    var json: String { #"{"id":\#(id),"name":"\#(name)","html_url":"\#(url)"}"# }

    /// A page of results that is longer than the screen: `flux-1` to `flux-20`, and so on.
    static func page(_ number: Int, of name: String) -> [ServedRepository] {
        (1...20).map { index in
            let location = (number - 1) * 20 + index
            return ServedRepository(Int64(location), "\(name)-\(location)")
        }
    }
}
