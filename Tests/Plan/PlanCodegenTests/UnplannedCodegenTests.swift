import PlanCodegen
import Testing
import TrackingCore
import TrackingPlan
import TrackingTesting

@Suite("Generated unplanned events")
struct UnplannedCodegenTests {
    private static func folder(_ list: String, others: [PlanFile] = []) -> PlanFolder {
        PlanFolder(name: "S", files: others + [PlanFile(path: "unplanned.json", bytes: Array(list.utf8))])
    }

    @Test("Properties are any JSON, in both encodings")
    func events() throws {
        let event = PromoShown.promoShown(["banner": 3, "seen": [true, nil]])
        #expect(event == PromoShown(properties: ["banner": 3, "seen": [true, nil]]))
        #expect(PromoShown.promoShown() == PromoShown())
        var written = JSONWriter()
        try event.writeValue(to: &written)
        var encoded = JSONWriter()
        try JSONLineEncoder.write(event, to: &encoded)
        #expect(String(decoding: written.bytes, as: UTF8.self) == #"{"banner":3,"seen":[true,null]}"#)
        #expect(encoded.bytes == written.bytes)
        #expect(!PromoShown.isPlanned && TutorialSkipped.isPlanned)
    }

    @Test("Unplanned events are sent with a mark")
    func sending() {
        let recorder = TrackingRecorder()
        Tracker.mock(recording: recorder).send(.promoShown(["banner": 3]))
        recorder.expect(.promoShown(["banner": 3]))
    }

    @Test("Unplanned events need no schemas, and follow existing ones")
    func files() throws {
        let list = #"{"x-unplanned": {"promo-shown": {"description": "A."}, "beta": {"description": "B."}}}"#
        let alone = try CodeGenerator(Self.folder(list), access: .public)
        #expect(alone.files().map(\.name) == ["PromoShown.swift", "Beta.swift"])
        #expect(
            alone.file(named: "All.swift").text.contains(
                "}\n\n/// B. Unplanned: allowed without a schema.\npublic struct"))
        let event = FixturePlan.folder(property: #"{"type": "boolean"}"#).files
        let both = try CodeGenerator(Self.folder(list, others: event), access: .internal)
        #expect(both.files().map(\.name) == ["BasketOpened.swift", "PromoShown.swift", "Beta.swift"])
    }

    @Test("Every issue and every name in use is reported with its location")
    func issues() throws {
        func code(_ list: String, _ others: [PlanFile] = []) -> String {
            FixturePlan.code(Self.folder(list, others: others))
        }
        let start = "S/unplanned.json:1:"
        #expect(
            code(#"{"x-unplanned": {"a": {}}}"#)
                == start + "23: error: /x-unplanned/a: add a description: a text that is not empty")
        let event = FixturePlan.folder(property: #"{"type": "boolean"}"#).files
        #expect(
            code(#"{"x-unplanned": {"basket-opened": {"description": "A."}}}"#, event)
                == start
                + "35: error: /x-unplanned/basket-opened: basket-opened has a schema: remove it from unplanned.json")
        #expect(
            code(#"{"x-unplanned": {"basketopened": {"description": "A."}}}"#, event)
                == start
                + "34: error: /x-unplanned/basketopened: the event basket-opened already has the Swift name Basketopened: "
                + "choose another name")
        #expect(
            code(#"{"x-unplanned": {"a-1": {"description": "A."}, "a1": {"description": "B."}}}"#)
                == start
                + "54: error: /x-unplanned/a1: the event a-1 already has the Swift name A1: choose another name")
        let pages = PlanFile(path: "pages.json", bytes: Array(#"{"x-pages": {"a": {"description": "A."}}}"#.utf8))
        #expect(
            code(#"{"x-unplanned": {"page": {"description": "A."}}}"#, [pages])
                == start
                + "26: error: /x-unplanned/page: the list of pages already has the Swift name Page: choose another name"
        )
    }
}
