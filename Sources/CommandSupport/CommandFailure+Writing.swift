internal import Foundation

extension CommandFailure {
    /// An output cannot be written, by the number that the system gave.
    package init(writing name: String, _ code: Int32) {
        let message =
            switch code {
            case ENOSPC, EDQUOT: "no space is left for \(name): free some and try again"
            case EACCES, EPERM, EROFS: "\(name) cannot be written: check that you may write in its folder"
            case ENOENT, ENOTDIR: "\(name) cannot be written: make its folder first"
            default: "\(name) cannot be written: \(String(cString: strerror(code)))"
            }
        self.init(.inputOutput, message)
    }
}
