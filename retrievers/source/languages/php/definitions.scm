; What defines something in PHP. docs/languages.md tells what the captures mean.

(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(trait_declaration name: (_) @name) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.variant
(function_definition name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
((method_declaration name: (_) @name) @definition.constructor (#eq? @name "__construct"))
(property_declaration (property_element name: (_) @name)) @definition.field
(property_promotion_parameter name: (_) @name) @definition.field
(const_declaration (const_element . (name) @name)) @definition.constant
((function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string) @name))) @definition.constant
  (#eq? @_define "define"))
(expression_statement (function_call_expression) @of) @around
(anonymous_class) @scope

[(class_declaration body: (_) @body)
 (interface_declaration body: (_) @body)
 (trait_declaration body: (_) @body)
 (enum_declaration body: (_) @body)
 (function_definition body: (_) @body)
 (method_declaration body: (_) @body)] @of

(_ (visibility_modifier) @modifier) @of
(attribute_list) @attribute
(comment) @comment
((comment) @documentation (#match? @documentation "^/\\*\\*[^*/]"))
