internal import EventLog

/// An error of ``KeyValueStorage`` that passes when the device is unlocked for the first time since its start.
///
/// While a tracker can't open its log because of such an error, methods such as ``Tracker/flush()`` and ``Tracker/close()`` wait for
/// the device. After any other error they end: they throw it, or return. `EPERM` on systems with file protection counts
/// as such an error, so ``FileKeyValueStorage`` needs none. Storage in the keychain throws one for
/// `errSecInteractionNotAllowed`:
///
/// ```swift
/// struct KeychainLocked: DeviceLockedError {}
/// ```
public protocol DeviceLockedError: Error {}

/// Whether an error passes without anybody's doing, so that methods wait for the next attempt.
func passesWhenUnlocked(_ error: any Error) -> Bool {
    error is any DeviceLockedError || FileProtection.isCause(of: error)
}
