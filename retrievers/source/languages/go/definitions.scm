; What defines something in Go. docs/languages.md tells what the captures mean.

((function_declaration name: (_) @name) @definition.function (#not-eq? @name "_"))
(function_declaration body: (_) @body) @of

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @qualifier
    (pointer_type (type_identifier) @qualifier)
    (generic_type type: (type_identifier) @qualifier)
    (pointer_type (generic_type type: (type_identifier) @qualifier))
    (parenthesized_type (pointer_type (type_identifier) @qualifier))]))
  name: (_) @name) @definition.method
(method_declaration body: (_) @body) @of

(type_spec name: (_) @name) @definition.type
(type_spec name: (_) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type "{" @body)) @definition.interface
(type_alias name: (_) @name) @definition.type
; Alone in its declaration: with the keyword.
(type_declaration . [(type_spec) (type_alias)] @of .) @around

(method_elem name: (_) @name) @definition.method
((field_declaration name: (_) @name) @definition.field (#not-eq? @name "_"))

((const_spec (identifier) @name) @definition.constant (#not-eq? @name "_"))
(const_declaration . (const_spec) @of .) @around
((var_spec name: (identifier) @name) @definition.variable (#not-eq? @name "_"))
(var_declaration . (var_spec) @of .) @around

(comment) @comment
