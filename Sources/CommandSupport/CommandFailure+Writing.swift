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

    /// An output cannot be written, by what Foundation threw.
    package init(writing name: String, _ error: any Error) {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if let underlying, underlying.domain == NSPOSIXErrorDomain {
            self.init(writing: name, Int32(underlying.code))
            return
        }
        let code: Int32 =
            switch (error as? CocoaError)?.code {
            case .fileWriteOutOfSpace?: ENOSPC
            case .fileWriteNoPermission?: EACCES
            case .fileWriteVolumeReadOnly?: EROFS
            case .fileNoSuchFile?, .fileReadNoSuchFile?: ENOENT
            default: EIO
            }
        self.init(writing: name, code)
    }
}
