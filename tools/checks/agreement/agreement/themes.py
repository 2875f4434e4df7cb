"""What a schema is mostly made of."""

# Keywords that a schema is made of for the most part, and the types that it is about.
THEMES = [
    (set(), ["string", "number", "object", "object", "object", "array", "array", "any"]),
    ({"format"}, ["string", "string", "object", "array"]),
    ({"format", "type", "properties", "required"}, ["object", "string"]),
    ({"pattern", "minLength", "maxLength"}, ["string", "object", "array"]),
    ({"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}, ["number", "number", "array"]),
    ({"enum", "const", "uniqueItems", "items"}, ["array", "array", "any", "number"]),
    ({"contains", "minContains", "maxContains", "minItems", "maxItems"}, ["array", "array", "number"]),
    ({"unevaluatedItems", "prefixItems", "contains", "$ref", "applicator"}, ["array", "array", "array", "number"]),
    ({"unevaluatedProperties", "properties", "patternProperties", "$ref", "applicator"},
     ["object", "object", "number"]),
    ({"unevaluatedProperties", "properties", "dependentSchemas", "additionalProperties", "applicator"}, ["object"]),
    ({"dependentRequired", "dependentSchemas", "required", "minProperties", "maxProperties", "propertyNames"},
     ["object", "object", "object", "string"]),
    ({"patternProperties", "additionalProperties", "propertyNames", "properties"}, ["object", "object", "string"]),
    ({"applicator", "type"}, ["string", "number", "object", "array", "any"]),
    ({"$id", "$dynamicRef", "$dynamicAnchor", "$ref", "properties", "items"}, ["object", "object", "array"]),
    ({"$id", "$dynamicRef", "$dynamicAnchor", "$ref", "unevaluatedProperties", "properties"}, ["object"]),
    ({"$ref", "properties", "items", "required"}, ["object", "array", "string", "number"]),
]
