import PlanDiff
import PlanPages
import Testing

@Suite("The Markdown page")
struct MarkdownPageTests {
    @Test("The page shows everything in the schemas, and nothing in them becomes markup")
    func page() throws {
        #expect(
            try PlanPage.markdown(PagePlan.plan()).split(separator: "\n", omittingEmptySubsequences: false)
                == Self.expected.split(separator: "\n", omittingEmptySubsequences: false))
    }

    private static let expected = ##"""
        <!-- Written by `trackctl schema docs`. Do not edit. -->

        # Tracking plan

        1 event in 3 versions. Generated from the schemas in this folder. [index.html](index.html) is the same page with search.

        | event | version | description |
        |---|---|---|
        | [order](#order) | 1-0-2 | Bought \| \<b\>now\</b\> \& \*then\*. |

        ## order

        Bought \| \<b\>now\</b\> \& \*then\*.

        Version 1-0-2: [events/order/1-0-2.json](events/order/1-0-2.json)

        | property | type | required | limits | description | personal data |
        |---|---|---|---|---|---|
        | `name` | string | yes | `"order"` | The event's name. |  |
        | `plan` | string or integer | no | `"free"`, `"paid"`, `3` | Which plan. |  |
        | `code` | string | yes | at most 9 characters, ``^(a\|`b`)</script>$`` | Which code. | personal, truncated to 3 characters |
        | `lines` | array of objects | no | 1 to 20 elements | What was bought. |  |
        | `lines[].count` | integer | yes | 1 to 2⁵³ − 1 | How many. |  |
        | `lines[].price` | number | no | at most 1000000.50, more than 0 | Of one. |  |
        | `lines[].parts` | array of objects | no | at most 2 elements | Within. |  |
        | `lines[].tags` | array of strings | no | at most 5 elements, unique elements | Words. |  |
        | `lines[].tags[]` | string |  | at most 20 characters |  | personal |
        | `payment` | object or null | no |  | How it was paid. |  |
        | `payment.card` | uuid | no |  | A card. |  |

        ```json
        {
          "name": "order",
          "code": "</script><b>\u202e",
          "plan": null,
          "lines": [
            { "count": 2, "price": 1.50, "tags": [] },
            { "count": 1, "parts": [{ "count": 12 }] }
          ]
        }
        ```

        - **1-0-2**: the properties are the same
        - **1-0-1**:
          - `plan`: type: string or integer instead of string; now accepts 3; no longer accepts "old"
          - `code`: now required; pattern: ^(a\|\`b\`)\</script\>$ instead of none; now personal, truncated to 3 characters
          - `lines`: new, optional
          - `payment`: new, optional
          - `note`: gone
        - **1-0-0** (2018-09-12): the first version

        ## container

        A line.

        Version 1-0-0: [container/1-0-0.json](container/1-0-0.json)

        | property | type | required | limits | description | personal data |
        |---|---|---|---|---|---|
        | `event` | object | no | open: its own schema says |  |  |

        ```json
        {}
        ```

        """##
}

@Suite("Pages about rules")
struct RulePagesTests {
    @Test("The change rules are a table with one row per rule")
    func changes() {
        let lines = ChangeRulePage.markdown.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(lines.count == ChangeRules.all.count + 2)
        #expect(
            lines.contains(
                "| `maximum-raised` | `maximum`, `exclusiveMaximum` | numbers may be larger | ADDITION | a limit was relaxed |"
            ))
        #expect(lines.allSatisfy { $0.split(separator: " | ").count == 5 || $0 == "|---|---|---|---|---|" })
    }
}
