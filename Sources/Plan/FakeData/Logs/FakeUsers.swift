/// Users in the order of their next events: a heap, the first in front.
struct FakeUsers {
    private var users: [FakeUser]

    /// Takes users in the order of their times.
    init(inOrder users: [FakeUser]) { self.users = users }

    /// Lets the user whose event is next send it, and find out when the one after it is.
    mutating func next<Result, Failure>(_ send: (inout FakeUser) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = try send(&users[0])
        sink()
        return result
    }

    /// Brings the first one to its place.
    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < users.count && users[child] < users[least] {
                least = child
            }
            guard least != place else { return }
            users.swapAt(place, least)
            place = least
        }
    }
}
