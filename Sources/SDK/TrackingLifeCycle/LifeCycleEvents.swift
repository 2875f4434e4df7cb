public import Foundation
internal import Primitives
public import TrackingCore

/// Sends the life-cycle events that dashboards expect: `app-installed`, `app-updated`, `app-opened`, `app-foregrounded`
/// and `app-backgrounded`, in addition to `launch` and `background`.
///
/// ```swift
/// let lifeCycle = LifeCycleEvents(of: app, storage: storage, with: tracker)
/// lifeCycle.started()                // at launch: app-installed or app-updated, if either applies
/// lifeCycle.becameActive()           // at each activation: app-opened, app-foregrounded
/// lifeCycle.enteredBackground()      // app-backgrounded
/// ```
///
/// | input | sends |
/// |---|---|
/// | ``started()`` | `app-installed` if no version is stored; `app-updated` if another version or build is stored |
/// | first ``becameActive()`` | `app-opened` with `from_background` false |
/// | ``becameActive()`` after the background | `app-foregrounded`, then `app-opened` with `from_background` true |
/// | ``becameActive()`` after an alert, a call or Control Center | nothing |
/// | ``enteredBackground()`` | `app-backgrounded`, if the app was active before |
///
/// If the system starts the app in the background, for a push notification for instance, the app counts as opened once
/// it becomes active.
///
/// **Unreadable storage** never causes an `app-installed`. While the storage can't be read, for instance on a device
/// that has not been unlocked since its restart, neither `app-installed` nor `app-updated` is sent, the error is
/// reported once, and the next input tries again. The version is stored before its event is sent: if the process is
/// killed in between, the event is lost, but never sent twice. `UserDefaultsStorage` is empty before the first unlock
/// and doesn't throw: use `FileKeyValueStorage`, or call ``started()`` once the log is open.
///
/// Call the methods on any thread. Events are sent synchronously, in the order of the table.
public final class LifeCycleEvents: Sendable {
    /// The storage key of the version that ran last.
    static let versionKey = "app_version"

    private enum Phase {
        case starting, active, background
    }

    private struct State {
        var phase = Phase.starting
        var isVersionPending = false
        var isStorageReported = false
        /// The link for the next `app-opened`.
        var link: LinkOpened?
        var referrer: String?
    }

    private let app: AppVersion
    private let storage: any KeyValueStorage
    private let wasInstalledBefore: Bool
    private let send: @Sendable (any TrackingEvent) -> Void
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let state = Locked(State())

    /// Makes the life cycle of an app. Sends and reads nothing before ``started()``.
    ///
    /// - Parameters:
    ///   - app: The running version.
    ///   - storage: Stores the version until the next start. Pass storage that throws while it can't be read.
    ///   - wasInstalledBefore: Whether the user had the app before it sent these events. `app-installed` is not sent in
    ///     this case.
    ///   - send: Sends an event.
    ///   - diagnostics: Receives the storage's errors.
    public init(
        of app: AppVersion, storage: any KeyValueStorage, wasInstalledBefore: Bool = false,
        sending send: @escaping @Sendable (any TrackingEvent) -> Void,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.app = app
        self.storage = storage
        self.wasInstalledBefore = wasInstalledBefore
        self.send = send
        self.diagnostics = diagnostics
    }

    /// Makes the life cycle of an app that sends events with a tracker.
    public convenience init(
        of app: AppVersion, storage: any KeyValueStorage, wasInstalledBefore: Bool = false, with tracker: Tracker,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.init(
            of: app, storage: storage, wasInstalledBefore: wasInstalledBefore, sending: { tracker.send($0) },
            diagnostics: diagnostics)
    }

    /// The app started. Call it once, when it launches.
    public func started() {
        state.withLock { $0.isVersionPending = true }
        settleVersion()
    }

    /// The app became active.
    public func becameActive() {
        settleVersion()
        let (phase, link, referrer) = state.withLock { state in
            defer {
                state.phase = .active
                state.link = nil
                state.referrer = nil
            }
            return (state.phase, state.link, state.referrer)
        }
        switch phase {
        case .active: break
        case .starting: send(opened(fromBackground: false, by: link, referrer))
        case .background:
            send(AppForegrounded())
            send(opened(fromBackground: true, by: link, referrer))
        }
    }

    /// The app entered the background.
    public func enteredBackground() {
        settleVersion()
        let wasActive = state.withLock { state in
            guard state.phase == .active else { return false }
            state.phase = .background
            return true
        }
        if wasActive { send(AppBackgrounded()) }
    }

    /// The app received a link: a universal link, or a URL of the app's own scheme. Sends `link-opened`. If the app is
    /// not active, the next `app-opened` has the link, too.
    ///
    /// User, password, query and fragment of the URL are not sent, except for the five `utm_` parameters. The path is
    /// sent unchanged: don't pass links with a secret in their path, such as those that reset a password. File URLs are
    /// ignored.
    ///
    /// - Parameter referrer: The page or app that contained the link, such as `NSUserActivity.referrerURL`.
    ///   `link-opened` has only its host.
    public func openedLink(_ url: URL, referrer: URL? = nil) {
        guard let link = LinkOpened(url, referrer: referrer) else { return }
        state.withLock { state in
            guard state.phase != .active else { return }
            state.link = link
            state.referrer = referrer.flatMap { PlainLink($0)?.text }
        }
        send(link)
    }

    /// Processes an input that the SDK observes itself.
    package func process(_ input: TrackingInput) {
        switch input {
        case .becameActive: becameActive()
        case .enteredBackground: enteredBackground()
        case .consent, .identify, .reset: break
        }
    }

    private func opened(fromBackground: Bool, by link: LinkOpened?, _ referrer: String?) -> AppOpened {
        AppOpened(
            version: app.version, build: app.build, fromBackground: fromBackground, url: link?.url, referrer: referrer)
    }

    /// Compares the version with the stored one and stores it, once. If the storage fails, the next input tries again.
    private func settleVersion() {
        var failure: (any Error)?
        let event = state.withLock { state -> (any TrackingEvent)? in
            guard state.isVersionPending else { return nil }
            do {
                let stored = try storage.string(forKey: Self.versionKey)
                let previous = stored.flatMap(AppVersion.init(stored:))
                if previous != app { try storage.set(app.stored, forKey: Self.versionKey) }
                state.isVersionPending = false
                return change(from: previous)
            } catch {
                if !state.isStorageReported { failure = error }
                state.isStorageReported = true
                return nil
            }
        }
        if let failure { diagnostics(.storage(failure)) }
        if let event { send(event) }
    }

    private func change(from previous: AppVersion?) -> (any TrackingEvent)? {
        guard let previous else {
            return wasInstalledBefore ? nil : AppInstalled(version: app.version, build: app.build)
        }
        guard previous != app else { return nil }
        return AppUpdated(
            version: app.version, build: app.build, previousVersion: previous.version, previousBuild: previous.build)
    }
}

// The adapters to SwiftUI, UIKit and AppKit call it: `.tracked(by: tracker, observer: lifeCycle)`.
extension LifeCycleEvents: LifeCycleObserver {}
