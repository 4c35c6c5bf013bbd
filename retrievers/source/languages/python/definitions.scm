; What defines something in Python. The capture's last part is the symbol's kind; where two
; patterns name the same place, the wider span wins, then the later pattern.

(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class

; With its decorators.
(decorated_definition
  definition: (function_definition name: (identifier) @name)) @definition.function
(decorated_definition
  definition: (class_definition name: (identifier) @name)) @definition.class

; A signature that another definition of the same name implements.
((decorated_definition
   (decorator [(identifier) @decorator (attribute attribute: (identifier) @decorator)])
   definition: (function_definition name: (identifier) @name)) @definition.overload
  (#eq? @decorator "overload"))

; Names given at the top of a module.
(module (expression_statement
  (assignment left: (identifier) @name)) @definition.variable)
(module (expression_statement
  (assignment left: (pattern_list (identifier) @name))) @definition.variable)
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)

; A definition does not end with a comment that merely follows its last statement.
(comment) @comment
