internal import Foundation
internal import LogFiles

extension CommandFailure {
    /// An output cannot be written, by the number that the system gave.
    package init(writing name: String, _ code: Int32) {
        self.init(LogFileError.writing(name, code))
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
