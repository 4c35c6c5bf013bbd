; What defines something in shell scripts. docs/languages.md tells what the captures mean.

(function_definition name: (_) @name body: (_) @body) @definition.function

; Names given at the top of a script.
(program (variable_assignment name: (variable_name) @name "=") @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name))
  @definition.variable)
; In a script that is not finished.
(ERROR (variable_assignment name: (variable_name) @name "=") @definition.variable)
(ERROR (declaration_command (variable_assignment name: (variable_name) @name))
  @definition.variable)
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name))
  @definition.constant)
((program (declaration_command . ["declare" "typeset"] . (word) @_flags
  (variable_assignment name: (variable_name) @name)) @definition.constant)
  (#match? @_flags "^-\\w*r"))

(comment) @comment
