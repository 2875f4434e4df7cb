import CommandRunner
import Foundation
import Testing

/// The mappings for exports of other systems, in `Sources/Examples/Imports`, with lines as their documentation describes them.
@Suite("The mappings of other systems' exports")
struct TrackctlImportExamplesTests {
    private static let mappings = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/Examples/Imports").standardized.path

    /// A purchase, a screen, and a line that is skipped.
    private static let exports: [String: [String]] = [
        "segment": [
            #"{"type":"track","event":"Checkout Completed","messageId":"m1","anonymousId":"a1","userId":"ann","#
                + #""timestamp":"2018-09-12T11:54:07.351Z","properties":{"items":3}}"#,
            #"{"type":"screen","name":"Basket","messageId":"m2","userId":"ann","timestamp":"2018-09-12T11:54:08Z"}"#,
            #"{"type":"identify","messageId":"m3","userId":"ann","timestamp":"2018-09-12T11:54:09Z","traits":{}}"#,
        ],
        "amplitude": [
            #"{"event_type":"Checkout Completed","uuid":"u1","user_id":"ann","session_id":1536753247000,"#
                + #""event_time":"2018-09-12 11:54:07.351000","event_properties":{"items":3}}"#,
            #"{"event_type":"[Amplitude] Screen Viewed","uuid":"u2","user_id":"ann","session_id":1536753247000,"#
                + #""event_time":"2018-09-12 11:54:08.000000","#
                + #""event_properties":{"[Amplitude] Screen Name":"Basket"}}"#,
            #"{"event_type":"$identify","uuid":"u3","user_id":"ann","event_time":"2018-09-12 11:54:09.000000"}"#,
        ],
        "mixpanel": [
            #"{"event":"Checkout Completed","properties":{"time":1536753247.351,"distinct_id":"ann","#
                + #""$insert_id":"i1","items":3}}"#,
            #"{"event":"Basket Viewed","properties":{"time":1536753248,"distinct_id":"ann","$insert_id":"i2"}}"#,
            #"{"event":"$ae_session","properties":{"time":1536753249,"distinct_id":"ann","$insert_id":"i3"}}"#,
        ],
        "posthog": [
            #"{"uuid":"p1","event":"Checkout Completed","distinct_id":"ann","#
                + #""timestamp":"2018-09-12T11:54:07.351000+00:00","properties":{"items":3,"$session_id":"s1"}}"#,
            #"{"uuid":"p2","event":"$screen","distinct_id":"ann","timestamp":"2018-09-12T11:54:08+00:00","#
                + #""properties":{"$screen_name":"Basket"}}"#,
            #"{"uuid":"p3","event":"$identify","distinct_id":"ann","timestamp":"2018-09-12T11:54:09Z"}"#,
        ],
        "snowplow": [
            #"{"event_id":"e1","event_name":"checkout_completed","user_id":"ann","platform":"mob","#
                + #""derived_tstamp":"2018-09-12T11:54:07.351Z","#
                + #""unstruct_event_com_example_checkout_completed_1":{"items":3}}"#,
            #"{"event_id":"e2","event_name":"screen_view","user_id":"ann","platform":"mob","#
                + #""derived_tstamp":"2018-09-12T11:54:08.000Z","#
                + #""unstruct_event_com_snowplowanalytics_mobile_screen_view_1":{"name":"Basket"}}"#,
            #"{"event_id":"e3","event_name":"page_view","user_id":"ann","platform":"web","#
                + #""derived_tstamp":"2018-09-12T11:54:09.000Z"}"#,
        ],
    ]

    @Test(
        "A purchase and a screen become events, with their times and user",
        arguments: ["segment", "amplitude", "mixpanel", "posthog", "snowplow"])
    func exports(_ name: String) async throws {
        let folder = try TrackctlFolder()
        let lines = try #require(Self.exports[name])
        let input = try folder.file("export.jsonl", lines.map { $0 + "\n" }.joined())
        let result = try await trackctl(["import", input, "--mapping", "\(Self.mappings)/\(name).json"])
        #expect(result.exitCode == 0)
        let ends = result.lines.map { line in
            String(line[(line.range(of: #""user_id""#)?.lowerBound ?? line.endIndex)...])
        }
        #expect(
            ends == [
                #""user_id":"ann","time":1536753247.351,"schema":"checkout-completed/1-0-0","#
                    + #""event":{"name":"checkout-completed","value":{"items":3}}}"#,
                #""user_id":"ann","time":1536753248,"schema":"page-view/1-0-0","#
                    + #""event":{"name":"page-view","value":{"page":"basket"}}}"#,
            ])
        #expect(
            result.stderr == """
                trackctl: 3 lines: 2 events: 2 kept, 0 renumbered, 0 known (skipped)
                trackctl: 1 line without an event: skipped by a condition

                """)
    }
}
