import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// A dropped event is one cause: it fails a test once, with the drop reason and advice.
@Suite("Drops, each reported once")
struct DropTests {
    private struct Order: TrackingEvent {
        static let name = "order"
        var total = 1.0
        var note = ""
    }

    /// All failures of a test with its own recorder, the final check included.
    private func failuresOfTest(
        _ recorder: @autoclosure () -> TrackingRecorder = TrackingRecorder(), limit: SendingLimit? = .standard,
        _ body: (TrackingRecorder, Tracker) -> Void
    ) -> [String] {
        failures {
            let recorder = recorder()
            body(recorder, .mock(recording: recorder, sendingLimit: limit))
        }.map(\.text)
    }

    @Test("an event that violates a limit of its schema, whatever the expectation")
    func pastLimit() {
        let message = [
            """
            event search was dropped: query violates the schema's minLength: 1; send a value within the limit, or \
            change the schema
            """
        ]
        let empty = Search(query: "", page: 1)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expect(empty)
            } == message)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(.launch)
                recorder.expect(.launch, empty, .background) {
                    tracker.send(.launch)
                    tracker.send(empty)
                    tracker.send(.background)
                }
                recorder.expect(.launch)
            } == message)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                tracker.send(.launch)
                recorder.expectAtLeast(empty, .launch)
            } == message)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expectCount(1, of: .any(Search.self))
            } == message)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                tracker.send(.launch)
                recorder.expectSteps(.event(empty), .event(.launch))
            } == message)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expectSteps(.drop(of: "search", .encoding))
            } == message)
    }

    @Test("of an event that violates a limit of its schema can be expected, after other events, too")
    func expectedPastLimit() {
        let empty = Search(query: "", page: 1)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expectSteps(.drop(of: "search", .outOfLimits))
                recorder.expectSteps(.drop(of: "search", .outOfLimits)) { tracker.send(empty) }
            } == [])
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(.launch)
                tracker.send(empty)
                recorder.expect(.launch)
                recorder.expectNone(empty)
                recorder.expectSteps(.drop(of: "search", .outOfLimits))
            } == [])
        #expect(
            failuresOfTest(TrackingRecorder(validatingAgainst: .standard)) { recorder, tracker in
                tracker.send(empty)
                tracker.send(empty)
                recorder.expectSteps(.drop(of: "search", .outOfLimits))
            } == [
                """
                steps differ (- expected, + recorded):
                    drop of search: out-of-limits
                  + drop of search: out-of-limits
                """
            ])
    }

    @Test("of an event that violates a limit of its schema fails in the expectation that misses the event")
    func limitsAtCall() {
        var lines: [Int] = []
        let empty = Search(query: "", page: 1)
        let found = failures {
            let app = TestedApp()
            for _ in 1...4 { app.tracking.send(empty) }
            lines.append(#line + 1)
            app.recorder.expectSteps(.drop(of: "launch", .outOfLimits))
        }
        #expect(found.map(\.line) == Array(repeating: lines[0], count: 5))
        lines = []
        let each = failures {
            let app = TestedApp()
            lines.append(#line + 1)
            app.recorder.expect(empty) { app.tracking.send(empty) }
            lines.append(#line + 1)
            app.recorder.expectAtLeast(empty) { app.tracking.send(empty) }
            lines.append(#line + 1)
            app.recorder.expectCount(1, of: empty) { app.tracking.send(empty) }
            lines.append(#line + 1)
            app.recorder.expectSteps(.event(empty)) { app.tracking.send(empty) }
            app.tracking.send(empty)
            lines.append(#line + 1)
            app.recorder.expectHeld(empty)
            app.tracking.send(empty)
            lines.append(#line + 1)
            app.recorder.expectNothingElse()
        }
        #expect(each.map(\.line) == lines)
        #expect(Set(each.map(\.text)).count == 1)
    }

    @Test(
        "of an event that violates a limit of its schema fails the test, even if its steps are skipped or not exhaustive"
    )
    func skippedLimits() {
        let found = failuresOfTest(TrackingRecorder(exhaustivity: .off)) { _, tracker in
            tracker.send(.search(query: "", page: 1))
        }
        #expect(found.count == 1)
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(.search(query: "", page: 1))
                recorder.skipRecorded()
            } == found)
    }

    @Test("of an event that violates a limit names the limit where drops are listed")
    func limitText() {
        let found = failuresOfTest(TrackingRecorder(validatingAgainst: nil)) { recorder, tracker in
            tracker.send(.search(query: "", page: 1))
            recorder.expect(.launch)
        }
        #expect(
            found == [
                """
                no events fired (- expected):
                  - {"name":"launch"}
                dropped, but not asserted:
                    drop of search: out-of-limits
                      query violates the schema's minLength: 1: send a value within the limit, or change the schema
                """
            ])
    }

    @Test("hides no other failure: another missing event, or the same event missing twice")
    func otherCauses() {
        let empty = Search(query: "", page: 1)
        for expected in [[empty, Launch()], [empty, empty], [Launch()]] as [[any TrackingEvent]] {
            #expect(
                failuresOfTest { recorder, tracker in
                    tracker.send(empty)
                    recorder.expect(contentsOf: expected)
                }.count == 2)
            #expect(
                failuresOfTest { recorder, tracker in
                    tracker.send(empty)
                    recorder.expectAtLeast(contentsOf: expected)
                }.count == 2)
        }
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expectCount(2, of: .any(Search.self))
                recorder.expectCount(1, of: .any(Launch.self))
                recorder.expectSteps(.event(.launch))
            }.count == 4)
        // The second expectation is about another event than the dropped one.
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expect(empty)
                recorder.expect(empty)
            }.count == 2)
        // Drops before a block explain nothing in it.
        #expect(
            failuresOfTest { recorder, tracker in
                tracker.send(empty)
                recorder.expect(empty) {}
            }.count == 2)
    }

    @Test("an event beyond the limit of one event per second, in the expectation that misses it")
    func pastSendingLimit() {
        let found = failuresOfTest(limit: SendingLimit(eventsPerSecond: 1)) { recorder, tracker in
            tracker.send(.launch)
            tracker.send(.background)
            recorder.expect(.launch, .background)
        }
        #expect(
            found == [
                """
                events differ (- expected, + fired):
                    {"name":"launch"}
                  - {"name":"background"}
                dropped, but not asserted:
                    drop of background: runaway
                      more events in one second than the sending limit allows: advance the recorder's clock, or make the \
                mock with sendingLimit: nil
                """
            ])
    }

    @Test("drops of many events in one line, with their count")
    func many() {
        let found = failuresOfTest(limit: SendingLimit(eventsPerSecond: 1)) { recorder, tracker in
            for _ in 1...9 { tracker.send(.launch) }
            tracker.send(.background)
            recorder.expect(.launch)
        }
        #expect(
            found == [
                """
                the test does not assert all that happened; add an expectation, call 'skipRecorded()', or create the \
                recorder with 'exhaustivity: .off':
                  + drop of launch: runaway (8 times)
                      more events in one second than the sending limit allows: advance the recorder's clock, or make the \
                mock with sendingLimit: nil
                  + drop of background: runaway
                      more events in one second than the sending limit allows: advance the recorder's clock, or make the \
                mock with sendingLimit: nil
                  (to expect a drop, call expectSteps(.drop(of: "launch", .runaway)))
                """
            ])
    }

    @Test("an event that is too large, or cannot be encoded")
    func others() {
        let large = Order(note: String(repeating: "x", count: 40_000))
        let tooLarge = failuresOfTest { recorder, tracker in
            tracker.send(large)
            recorder.expectCount(1, of: .any(Order.self))
        }
        #expect(
            tooLarge == [
                """
                expected any order to fire once, but it did not fire
                dropped, but not asserted:
                    drop of order: too-large
                      its line is longer than 32 KiB: send less in one event
                """
            ])
        let unencodable = failuresOfTest { recorder, tracker in
            tracker.send(Order(total: .nan))
            recorder.expectAtLeast(Order(total: .nan))
        }
        let reason = "a number is NaN or infinite; JSON has neither: leave it out or send null"
        #expect(
            unencodable == [
                """
                expected events are missing or out of order (- expected, + fired):
                  - order, which is dropped when it is sent: total cannot be encoded: \(reason)
                dropped, but not asserted:
                    drop of order: encoding
                      total cannot be encoded: \(reason)
                """
            ])
    }

    @Test("are shown in the failure of a snapshot and of a wait")
    func snapshotsAndWaits() async {
        let limit = SendingLimit(eventsPerSecond: 0)
        let snapshot = failuresOfTest(limit: limit) { recorder, tracker in
            tracker.send(.launch)
            recorder.expectSnapshot()
        }
        #expect(snapshot.count == 1)
        #expect(snapshot.first?.contains("drop of launch: runaway\n") == true)
        nonisolated(unsafe) var waits: [String] = []
        await withKnownIssue {
            let recorder = TrackingRecorder()
            Tracker.mock(recording: recorder, sendingLimit: limit).send(.launch)
            try? await recorder.waitUntilFired(.launch, within: .zero)
        } matching: { issue in
            waits.append(issue.comments.map(\.rawValue).joined())
            return true
        }
        #expect(waits.count == 1)
        #expect(waits.first?.contains("drop of launch: runaway\n") == true)
    }

    @Test("leave other events to other expectations")
    func routes() {
        let found = failures {
            let app = TestedApp()
            app.environment.show(.home)
            app.tracking.send(.search(query: "", page: 1))
            app.recorder.expectNothingElse()
            app.recorder.expectSteps(.route(TestedApp.Route.home))
        }
        #expect(found.count == 1)
    }

    @Test("can still be expected after they were reported")
    func expectedLater() {
        let found = failuresOfTest(limit: SendingLimit(eventsPerSecond: 0)) { recorder, tracker in
            tracker.send(.launch)
            recorder.expect(.launch)
            recorder.expectSteps(.drop(of: "launch", .runaway))
        }
        #expect(found.count == 1)
    }
}
