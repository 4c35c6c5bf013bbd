; What defines something in Rust. docs/languages.md tells what the captures mean.

(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.method
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.variant
(trait_item name: (_) @name) @definition.trait
(mod_item name: (_) @name body: (_)) @definition.module
(macro_definition name: (_) @name) @definition.macro
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
((const_item name: (_) @name) @definition.constant (#not-eq? @name "_"))
(static_item name: (_) @name) @definition.variable
(foreign_mod_item body: (declaration_list
  [(function_signature_item name: (_) @name) (static_item name: (_) @name)] @definition.declaration))
(field_declaration name: (_) @name) @definition.field
[(struct_item body: (field_declaration_list) @body)
 (union_item body: (_) @body)
 (enum_item body: (_) @body)
 (trait_item body: (_) @body)
 (mod_item body: (_) @body)
 (macro_definition (macro_rule) @body)] @of

; What is in an `impl` belongs to its type.
(impl_item type: [
  (type_identifier) @scope.name
  (primitive_type) @scope.name
  (array_type) @scope.name
  (tuple_type) @scope.name
  (scoped_type_identifier name: (_) @scope.name)
  (generic_type type: [
    (type_identifier) @scope.name
    (scoped_type_identifier name: (_) @scope.name)])
  (reference_type type: [
    (type_identifier) @scope.name
    (primitive_type) @scope.name
    (generic_type type: (type_identifier) @scope.name)])
  (dynamic_type trait: (type_identifier) @scope.name)]) @scope
(impl_item body: (declaration_list
  (function_item name: (_) @name) @definition.method))
(impl_item trait: (_) body: (declaration_list) @section.public)

(_ (visibility_modifier) @modifier) @of
((attribute_item (attribute (identifier) @_exported)) . (macro_definition) @of @visibility.public
  (#eq? @_exported "macro_export"))
(attribute_item) @attribute
[(line_comment) (block_comment)] @comment
([(line_comment) (block_comment)] @documentation
  (#match? @documentation "^(/\\*\\*[^*/]|///([^/]|$))"))
