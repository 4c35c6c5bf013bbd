; What only TypeScript says in this way. docs/edges.md tells what the captures mean.

(extends_clause value: (_) @extends)
(implements_clause (_) @implements)
(extends_type_clause type: (_) @extends)

(public_field_definition name: (_) @bound type: (type_annotation (_) @bound.type))
(public_field_definition name: (_) @bound value: (_) @bound.value)
(property_signature name: (_) @bound type: (type_annotation (_) @bound.type))
(variable_declarator name: (_) @bound type: (type_annotation (_) @bound.type))
(required_parameter pattern: (identifier) @bound type: (type_annotation (_) @bound.type))
(optional_parameter pattern: (identifier) @bound type: (type_annotation (_) @bound.type))
(required_parameter pattern: (identifier) @bound !type)
(required_parameter pattern: (rest_pattern (identifier) @bound))
(required_parameter (accessibility_modifier) pattern: (identifier) @field
  type: (type_annotation (_) @field.type))
(required_parameter pattern: (object_pattern) type: (type_annotation (_) @hint))

(function_declaration return_type: (type_annotation (_) @returns))
(generator_function_declaration return_type: (type_annotation (_) @returns))
(function_signature return_type: (type_annotation (_) @returns))
(method_definition return_type: (type_annotation (_) @returns))
(method_signature return_type: (type_annotation (_) @returns))
(abstract_method_signature return_type: (type_annotation (_) @returns))
(arrow_function return_type: (type_annotation (_) @returns))
(as_expression (_) (_) @hint)
(type_alias_declaration value: (_) @hint)
