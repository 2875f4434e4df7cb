extension DropReason {
    /// The index of the reason's word in a journal's header. Part of the file format: never change an index.
    var journalCode: Int {
        switch self {
        case .encoding: 0
        case .tooLarge: 1
        case .invalidName: 2
        case .optedOut: 3
        case .runaway: 4
        case .backlogFull: 5
        case .closed: 6
        case .evicted: 7
        case .repeatedID: 8
        case .refused: 9
        case .interrupted: 10
        case .damaged: 11
        case .erased: 12
        case .retired: 13
        case .notOpen: 14
        case .forked: 15
        case .unplanned: 16
        case .switchedOff: 17
        case .unanswered: 18
        case .outOfLimits: 19
        }
    }
}
