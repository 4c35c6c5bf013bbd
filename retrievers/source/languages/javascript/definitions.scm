; What defines something in JavaScript. docs/languages.md tells what the captures mean.

(class_declaration name: (_) @name body: (_) @body) @definition.class
(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function

; Classes and objects.
(method_definition name: (_) @name body: (_) @body) @definition.method
((method_definition name: (property_identifier) @name) @definition.constructor
  (#eq? @name "constructor"))
(method_definition ["get" "set"] name: (_) @name) @definition.property
(field_definition property: (_) @name) @definition.field
(field_definition property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  @definition.method
(pair key: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @definition.method
(pair key: (_) @name value: (class body: (_) @body)) @definition.class
(pair key: [(property_identifier) (string)] @scope.name value: (object)) @scope

; Names given to values: all at the top of a file, functions and classes anywhere.
(program [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)])
(program (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @definition.constant))
(program (export_statement declaration: [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)]))
(program (export_statement declaration: (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @definition.constant)))
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(lexical_declaration . (variable_declarator) @of .) @around
(variable_declaration . (variable_declarator) @of .) @around

; Functions and classes given to a property: exports.open, Router.prototype.add, this.close.
(assignment_expression
  left: (member_expression
    object: [(identifier) (this) (member_expression object: [(identifier) (this)])]
    property: (property_identifier)) @name
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.function
(assignment_expression
  left: (member_expression
    object: [(identifier) (this) (member_expression object: [(identifier) (this)])]
    property: (property_identifier)) @name
  right: (class body: (_) @body)) @definition.class
((assignment_expression
  left: (member_expression object: [
    (this)
    (member_expression object: (identifier) property: (property_identifier) @_prototype)]) @name
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.method
  (#not-eq? @_prototype "exports"))
((assignment_expression
  left: (member_expression object: (identifier) @scope.name
    property: (property_identifier) @_prototype)
  right: (object)) @scope
  (#eq? @_prototype "prototype"))
(expression_statement (assignment_expression) @of) @around

; What a file exports; if it exports anything, the rest is its own.
(program (export_statement)) @section.private
(export_statement declaration: (_) @of) @around @visibility.public
(export_statement declaration:
  [(lexical_declaration (_) @of) (variable_declaration (_) @of)] @visibility.public)
(export_specifier name: (identifier) @named.public)
(export_statement value: [
  (identifier) @named.public
  (parenthesized_expression (identifier) @named.public)
  (new_expression constructor: (identifier) @named.public)
  (call_expression arguments: (arguments (identifier) @named.public))
  (object [
    (shorthand_property_identifier) @named.public
    (pair value: (identifier) @named.public)
    (method_definition) @of @visibility.public
    (pair value: [
      (arrow_function) (function_expression) (generator_function) (class)])
      @of @visibility.public])])
(export_statement "default" @name
  value: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)])
  @definition.function @visibility.public
(export_statement "default" @name value: (class !name body: (_) @body))
  @definition.class @visibility.public
((program (expression_statement (assignment_expression left: (member_expression) @_exports)))
  @section.private
  (#match? @_exports "^(module\\.)?exports\\b"))
((assignment_expression left: (member_expression) @_exports) @of @visibility.public
  (#match? @_exports "^(module\\.)?exports\\b"))
((assignment_expression left: (_) @_exports right: [
  (identifier) @named.public
  (parenthesized_expression (identifier) @named.public)
  (new_expression constructor: (identifier) @named.public)
  (call_expression arguments: (arguments (identifier) @named.public))
  (object [
    (shorthand_property_identifier) @named.public
    (pair value: (identifier) @named.public)
    (method_definition) @of @visibility.public
    (pair value: [
      (arrow_function) (function_expression) (generator_function) (class)])
      @of @visibility.public])])
  (#match? @_exports "^(module\\.)?exports\\b"))

(decorator) @attribute
(comment) @comment
((comment) @documentation (#match? @documentation "^/\\*\\*[^*/]"))
