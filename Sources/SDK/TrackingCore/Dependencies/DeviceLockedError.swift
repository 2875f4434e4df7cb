internal import EventLog

/// An error of ``KeyValueStorage`` that goes away when the user unlocks the device for the first time after a restart.
///
/// If a tracker can't open its log because of such an error, methods such as ``Tracker/flush()`` and
/// ``Tracker/close()`` wait until the device is unlocked. After any other error they throw or return. On systems with
/// file protection, `EPERM` counts as such an error; ``FileKeyValueStorage`` therefore needs no error type of its own.
/// If you store values in the keychain, throw one for `errSecInteractionNotAllowed`:
///
/// ```swift
/// struct KeychainLocked: DeviceLockedError {}
/// ```
public protocol DeviceLockedError: Error {}

/// Whether an error goes away when the device is unlocked, so that methods wait for the next attempt.
func passesWhenUnlocked(_ error: any Error) -> Bool {
    error is any DeviceLockedError || FileProtection.isCause(of: error)
}
