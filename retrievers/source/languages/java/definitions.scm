; What defines something in Java. docs/languages.md tells what the captures mean.

(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.variant
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.constructor
(compact_constructor_declaration name: (_) @name) @definition.constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.field
(record_declaration parameters: (formal_parameters
  (formal_parameter name: (_) @name) @definition.field @visibility.public))

[(class_declaration body: (_) @body)
 (record_declaration body: (_) @body)
 (interface_declaration body: (_) @body)
 (annotation_type_declaration body: (_) @body)
 (enum_declaration body: (_) @body)
 (enum_constant body: (_) @body)
 (method_declaration body: (_) @body)
 (constructor_declaration body: (_) @body)
 (compact_constructor_declaration body: (_) @body)] @of

(enum_body_declarations (constructor_declaration) @of @visibility.private)
(_ (modifiers ["public" "protected" "private"] @modifier)) @of
[(marker_annotation) (annotation)] @attribute
[(line_comment) (block_comment)] @comment
((block_comment) @documentation (#match? @documentation "^/\\*\\*[^*/]"))
