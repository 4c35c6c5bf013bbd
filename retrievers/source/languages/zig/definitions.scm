; What defines something in Zig. docs/languages.md tells what the captures mean.

(function_declaration name: (_) @name) @definition.function
(function_declaration name: (_) @name !body) @definition.declaration

; Names given at the top of a file and in a type; those of imported files are not.
((source_file (variable_declaration "const" . (identifier) @name "=" (_) @_value)
  @definition.constant)
  (#not-match? @_value "^@(import|This|cImport)\\("))
(source_file (variable_declaration "var" . (identifier) @name) @definition.variable)
([(struct_declaration (variable_declaration "const" . (identifier) @name "=" (_) @_value)
    @definition.constant)
  (enum_declaration (variable_declaration "const" . (identifier) @name "=" (_) @_value)
    @definition.constant)
  (union_declaration (variable_declaration "const" . (identifier) @name "=" (_) @_value)
    @definition.constant)
  (opaque_declaration (variable_declaration "const" . (identifier) @name "=" (_) @_value)
    @definition.constant)]
  (#not-match? @_value "^@(import|This|cImport)\\("))
([(struct_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
  (union_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
  (enum_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)])

; Types are values with a name.
(variable_declaration (identifier) @name
  [(struct_declaration "{" @body) (union_declaration "{" @body) (opaque_declaration "{" @body)])
  @definition.struct
(variable_declaration (identifier) @name
  [(enum_declaration "{" @body) (error_set_declaration "{" @body)]) @definition.enum
(error_set_declaration (identifier) @name @definition.variant)
([(struct_declaration (container_field name: (_) @name) @definition.field @visibility.public)
  (union_declaration (container_field name: (_) @name) @definition.field @visibility.public)])
((enum_declaration (container_field name: (_) @name) @definition.variant) (#not-eq? @name "_"))
(container_field name: (_) @scope.name
  type: [(struct_declaration) (union_declaration) (enum_declaration)]) @scope

; The type that a function returns is how Zig writes a generic one.
(return_expression [
  (struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration)] @scope)
(return_expression (_ (function_declaration name: (_) @name) @definition.method))

(function_declaration body: (_) @body) @of
(_ ["pub" "export"] @modifier) @of
(comment) @comment
((comment) @documentation (#match? @documentation "^///([^/]|$)"))
