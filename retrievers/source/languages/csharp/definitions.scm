; What defines something in C#. docs/languages.md tells what the captures mean.

(namespace_declaration name: (_) @name) @definition.namespace @visibility.public
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace @visibility.public
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(record_declaration "struct" name: (_) @name) @definition.struct
(struct_declaration name: (_) @name) @definition.struct
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.variant
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(constructor_declaration name: (_) @name) @definition.constructor
(destructor_declaration "~" @name) @definition.method
(operator_declaration operator: _ @name) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(property_declaration name: (_) @name) @definition.property
(indexer_declaration "this" @name) @definition.property
(event_declaration name: (_) @name) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (_) @name)))
  @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name)))
  @definition.field
(record_declaration (parameter_list
  (parameter name: (_) @name) @definition.field @visibility.public))

[(namespace_declaration body: (_) @body)
 (class_declaration body: (_) @body)
 (record_declaration body: (_) @body)
 (struct_declaration body: (_) @body)
 (interface_declaration body: (_) @body)
 (enum_declaration body: (_) @body)
 (method_declaration body: (_) @body)
 (local_function_statement body: (_) @body)
 (constructor_declaration body: (_) @body)
 (destructor_declaration body: (_) @body)
 (operator_declaration body: (_) @body)
 (conversion_operator_declaration body: (_) @body)
 (property_declaration accessors: (_) @body)
 (property_declaration value: (_) @body)
 (indexer_declaration accessors: (_) @body)
 (indexer_declaration value: (_) @body)
 (event_declaration accessors: (_) @body)] @of

(_ (modifier) @modifier) @of
(attribute_list) @attribute
(comment) @comment
((comment) @documentation
  (#match? @documentation "^(/\\*\\*[^*/<]|///([^/<]|$))"))
