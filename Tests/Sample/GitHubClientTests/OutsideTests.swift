import Foundation
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

/// The app's dependencies, replaced by generated doubles.
@Suite("Dependencies of the app")
struct OutsideTests {
    @Suite("System notifications")
    struct Notifications {
        private static let active = Notification.Name("active")
        private static let background = Notification.Name("background")

        @Test("the life cycle observes both notifications once, and stops when the token is released")
        func lifeCycle() throws {
            let app = TestApp()
            let hub = NotificationHubDouble()
            let (first, second) = (NSObject(), NSObject())
            hub.observe.answers(NotificationToken(first), NotificationToken(second))
            let subscription = AppLifeCycle(environment: app.environment).follow(
                hub, active: Self.active, background: Self.background)
            let active = try hub.observe.requireOnce(where: { $0.name == Self.active })
            let background = try hub.observe.requireOnce(where: { $0.name == Self.background })
            hub.observe.expectCount(2)
            active.handler()
            background.handler()
            active.handler()
            app.recorder.expect(.launch, .background, .launch)
            hub.end.expectNever()
            subscription.cancel()
            #expect(
                hub.end.calls.map { ObjectIdentifier($0.observer) } == [
                    ObjectIdentifier(first), ObjectIdentifier(second),
                ])
            hub.post.expectNever()
        }

        @Test("the system's notification center behaves like its double")
        func notificationCenter() {
            let app = TestApp()
            let center = NotificationCenter()
            let subscription = AppLifeCycle(environment: app.environment).follow(
                center, active: Self.active, background: Self.background)
            let hub: any NotificationHub = center
            hub.post(Self.active)
            app.recorder.expect(.launch)
            subscription.cancel()
            hub.post(Self.background)
            app.recorder.expect()
        }
    }

    @Suite("The user's location")
    struct Location {
        @Test("the city is put into the search field; only the search button searches for it")
        func nearby() async throws {
            let app = TestApp()
            let screen = RepositorySearchViewModel(environment: app.environment)
            let location = LocationProviderDouble()
            location.cityMethod.fails(with: .denied).thenAnswers("Berlin")
            #expect(await screen.nearbyTapped(location) == nil)
            screen.searchButtonTapped()
            app.session.double.get.expectNever()
            #expect(await screen.nearbyTapped(location) == "Berlin")
            app.recorder.expect(.search(query: "Berlin", page: 1)) { screen.searchButtonTapped() }
            app.session.double.get.expectOnce(where: { $0.url.contains("q=Berlin") })
            location.cityMethod.expectCount(2)
        }

        @Test("a time zone provides its city, if it has one")
        func timeZones() throws {
            #expect(try TimeZoneLocation(#require(TimeZone(identifier: "America/New_York"))).city() == "New York")
            let nowhere = TimeZoneLocation(try #require(TimeZone(secondsFromGMT: 0)))
            #expect(throws: LocationFailure.unknown) { try nowhere.city() }
        }
    }

    @Suite("Given storage that is not writable")
    struct FullDisk {
        @Test("events are still sent and logged")
        func storage() async throws {
            struct DiskFull: Error {}
            let storage = KeyValueStorageDouble()
            storage.string.answers(nil)
            storage.set.fails(with: DiskFull())
            let recorder = TrackingRecorder()
            let environment = TrackingEnvironment<GitHubRoute>.mock(recording: recorder, storage: storage)
            environment.tracking.send(.launch)
            recorder.expect(.launch)
            #expect(recorder.log.records.count == 1)
            // Written in the background, and once more by this call, which throws the error.
            await #expect(throws: DiskFull.self) { try await environment.tracking.flushToDisk() }
            #expect(storage.set.calls.count > 1)
            let isToldOf = recorder.diagnostics.map { if case .storage(is DiskFull) = $0 { true } else { false } }
            #expect(isToldOf == storage.set.calls.dropLast().map { _ in true })
        }
    }
}
