; What defines something in Python. docs/languages.md tells what the captures mean.

(function_definition name: (identifier) @name body: (_) @body) @definition.function
(class_definition name: (identifier) @name body: (_) @body) @definition.class

((class_definition
   body: (block (function_definition name: (identifier) @name) @definition.constructor))
  (#eq? @name "__init__"))

; With its decorators.
(decorated_definition definition: (_) @of) @around
(decorator) @attribute

; A signature that another definition of the same name implements.
((decorated_definition
   (decorator [(identifier) @_decorator (attribute attribute: (identifier) @_decorator)])
   definition: (function_definition name: (identifier) @name)) @definition.overload
  (#eq? @_decorator "overload"))

; Names given at the top of a module, and in the body of a class.
(module (expression_statement
  (assignment left: (identifier) @name)) @definition.variable)
(module (expression_statement
  (assignment left: (pattern_list (identifier) @name))) @definition.variable)
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name)) @definition.field))

; The string that a body begins with.
(function_definition name: (identifier) @name
  body: (block . (expression_statement (string) @doc)))
(class_definition name: (identifier) @name
  body: (block . (expression_statement (string) @doc)))

; A definition does not end with a comment that merely follows its last statement.
(comment) @remark
