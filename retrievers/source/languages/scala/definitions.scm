; What defines something in Scala. docs/languages.md tells what the captures mean.

(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(enum_case_definitions [(simple_enum_case name: (_) @name) (full_enum_case name: (_) @name)]
  @definition.variant)
(package_object name: (_) @name) @definition.module
(type_definition . [(modifiers) (annotation)]* . "type" . name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.class
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
((function_definition name: (_) @name) @definition.constructor (#eq? @name "this"))

; Names given at the top of a file, and in the body of a type.
(compilation_unit [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)] @definition.variable)
([(template_body [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
  (val_definition pattern: (tuple_pattern (identifier) @name))
  (val_declaration name: (_) @name)
  (var_declaration name: (_) @name)] @definition.field)
  (enum_body [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)] @definition.field)])
(class_parameter ["val" "var"] name: (_) @name) @definition.field
(class_definition "case" class_parameters: (class_parameters
  (class_parameter name: (_) @name) @definition.field))

; What is in an extension belongs to the type that it extends.
(extension_definition parameters: (parameters . (parameter type: (_) @scope.name))) @scope
(extension_definition (function_definition name: (_) @name) @definition.method)
(extension_definition (_ (function_definition name: (_) @name) @definition.method))

[(class_definition body: (_) @body)
 (object_definition body: (_) @body)
 (trait_definition body: (_) @body)
 (enum_definition body: (_) @body)
 (package_object body: (_) @body)
 (given_definition body: (_) @body)
 (function_definition body: (_) @body)] @of

(_ (modifiers (access_modifier) @modifier)) @of
(annotation) @attribute
[(comment) (block_comment)] @comment
((block_comment) @documentation (#match? @documentation "^/\\*\\*[^*/]"))
