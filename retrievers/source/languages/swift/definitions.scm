; What defines something in Swift. docs/languages.md tells what the captures mean.

(class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name)
  @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(protocol_declaration name: (_) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.variant
(typealias_declaration . (modifiers)? . "typealias" . name: (_) @name) @definition.type
(associatedtype_declaration name: (_) @name) @definition.type

(function_declaration "func" . name: _ @name) @definition.function
(class_body (function_declaration "func" . name: _ @name) @definition.method)
(protocol_function_declaration "func" . name: _ @name) @definition.method
(init_declaration "init" @name) @definition.constructor
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.property

; Names given at the top of a file, and in the body of a type.
(source_file (property_declaration
  name: (pattern bound_identifier: (_) @name)) @definition.variable)
(source_file (property_declaration (value_binding_pattern mutability: "let")
  name: (pattern bound_identifier: (_) @name)) @definition.constant)
([(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field)
  (enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name))
    @definition.field)])
; In a type that is not finished.
(ERROR (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field)
(property_declaration name: (pattern bound_identifier: (_) @name)
  . (type_annotation)? . computed_value: (_)) @definition.property
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.property

; What is in an extension belongs to the type that it extends.
(class_declaration declaration_kind: "extension" name: (_) @scope.name) @scope

[(class_declaration body: (_) @body)
 (protocol_declaration body: (_) @body)
 (function_declaration body: (_) @body)
 (init_declaration body: (_) @body)
 (deinit_declaration body: (_) @body)
 (subscript_declaration (computed_property) @body)
 (property_declaration computed_value: (_) @body)] @of

(_ (modifiers (visibility_modifier) @modifier)) @of
(modifiers (attribute) @attribute)
[(comment) (multiline_comment)] @comment
([(comment) (multiline_comment)] @documentation
  (#match? @documentation "^(/\\*\\*[^*/]|///([^/]|$))"))
