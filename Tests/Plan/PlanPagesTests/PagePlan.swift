import TrackingPlan

/// A small plan with every kind of content.
enum PagePlan {
    static func plan() throws -> EventPlan { try EventPlan(folder) }

    static let folder = PlanFolder(
        files: [
            ("container/1-0-0.json", container), ("events/order/1-0-0.json", first),
            ("events/order/1-0-1.json", second), ("events/order/1-0-2.json", second),
        ].map { PlanFile(path: $0.0, bytes: Array($0.1.utf8)) })

    static let container = """
        {"description": "A line.", "properties": {"event": {"type": "object", "x-open": "its own schema says"}},
         "examples": [{}]}
        """

    static let first = """
        {"description": "Bought | <b>now</b> & *then*.", "x-since": "2018-09-12", "required": ["name"],
         "properties": {
           "name": {"const": "order", "description": "The event's name."},
           "plan": {"enum": ["free", "paid", "old"], "description": "Which plan."},
           "code": {"type": "string", "maxLength": 9, "x-pii": false, "description": "Which code."},
           "note": {"type": "string", "maxLength": 1, "description": "A note."}},
         "examples": [{"name": "order"}]}
        """

    static let second = #"""
        {"description": "Bought | <b>now</b> & *then*.", "required": ["name", "code"],
         "properties": {
           "name": {"const": "order", "description": "The event's name."},
           "plan": {"enum": ["free", "paid", 3], "description": "Which plan."},
           "code": {"type": "string", "maxLength": 9, "pattern": "^(a|`b`)</script>$", "x-pii": "truncate:3",
             "description": "Which code."},
           "lines": {"type": "array", "minItems": 1, "maxItems": 20, "description": "What was bought.",
             "items": {"$ref": "#/$defs/line"}},
           "payment": {"description": "How it was paid.", "oneOf": [
             {"type": "object", "required": ["card"],
              "properties": {"card": {"type": "string", "format": "uuid", "description": "A card."}}},
             {"type": "null"}]}},
         "$defs": {"line": {"type": "object", "required": ["count"], "properties": {
             "count": {"type": "integer", "minimum": 1, "maximum": 9007199254740991, "description": "How many."},
             "price": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000.50, "description": "Of one."},
             "parts": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/line"}, "description": "Within."},
             "tags": {"type": "array", "maxItems": 5, "uniqueItems": true, "description": "Words.",
               "items": {"type": "string", "maxLength": 20, "x-pii": true}}}}},
         "examples": [{"name": "order", "code": "</script><b>\u202e", "plan": null,
           "lines": [{"count": 2, "price": 1.50, "tags": []}, {"count": 1, "parts": [{"count": 12}]}]}]}
        """#
}
