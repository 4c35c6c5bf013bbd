; What defines something in Lua. docs/languages.md tells what the captures mean.

; Names given at the top of a file.
(chunk [
  (assignment_statement (variable_list name: (identifier) @name)) @definition.variable
  (variable_declaration (assignment_statement (variable_list name: (identifier) @name))
    @definition.variable)
  (variable_declaration (variable_list name: (identifier) @name))
    @definition.variable @visibility.private])
(chunk (assignment_statement (variable_list name: (dot_index_expression) @name)) @definition.field)
(variable_declaration (assignment_statement) @of) @around @visibility.private

(function_declaration name: (_) @name) @definition.function
(function_declaration body: (_) @body) @of
(function_declaration "local") @of @visibility.private

; Functions given to a name, or to a field of a table.
(assignment_statement
  (variable_list . name: [
    (identifier)
    (dot_index_expression)
    (bracket_index_expression field: (string))] @name .)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(table_constructor (field name: [(identifier) (string)] @name
  value: (function_definition body: (_)? @body)) @definition.method)
(field name: [(identifier) (string)] @scope.name value: (table_constructor)) @scope

(comment) @comment
