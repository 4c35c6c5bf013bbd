; What defines something in Kotlin. docs/languages.md tells what the captures mean.

(class_declaration "class" name: (_) @name) @definition.class
(class_declaration "interface" name: (_) @name) @definition.interface
((class_declaration (modifiers (class_modifier) @_enum) name: (_) @name) @definition.enum
  (#eq? @_enum "enum"))
((class_declaration (modifiers (class_modifier) @_marks) name: (_) @name) @definition.interface
  (#eq? @_marks "annotation"))
(object_declaration name: (_) @name) @definition.class
(companion_object (identifier) @name) @definition.class
(enum_entry . (modifiers)? . (identifier) @name) @definition.variant
(type_alias type: (_) @name) @definition.type

; A function with a receiver belongs to the type that it extends.
(function_declaration name: (_) @name) @definition.function
(function_declaration
  [(user_type) (nullable_type)] @qualifier . "." . name: (_) @name)
(class_body (function_declaration name: (_) @name) @definition.method)
(secondary_constructor "constructor" @name) @definition.constructor

; Names given at the top of a file, and in the body of a type.
(source_file (property_declaration (variable_declaration . (identifier) @name))
  @definition.variable)
((source_file (property_declaration (modifiers (property_modifier) @_const)
  (variable_declaration . (identifier) @name)) @definition.constant)
  (#eq? @_const "const"))
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name))
  @definition.field)
; In a type that is not finished.
(ERROR (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
(property_declaration (variable_declaration . (identifier) @name) [(getter) (setter)])
  @definition.property
(property_declaration
  [(user_type) (nullable_type)] @qualifier . "." . (variable_declaration . (identifier) @name))
(class_parameter ["val" "var"] (identifier) @name) @definition.field

[(class_declaration [(class_body) (enum_class_body)] @body)
 (object_declaration (class_body) @body)
 (companion_object (class_body) @body)
 (enum_entry (class_body) @body)
 (function_declaration (function_body) @body)
 (secondary_constructor (block) @body)
 (property_declaration [(getter) (setter)] @body)] @of

(_ (modifiers (visibility_modifier) @modifier)) @of
(modifiers (annotation) @attribute)
[(line_comment) (block_comment)] @comment
((block_comment) @documentation (#match? @documentation "^/\\*\\*[^*/]"))
