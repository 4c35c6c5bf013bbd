; What defines something in C++ beyond C. docs/languages.md tells what the captures mean.

(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(namespace_definition !name body: (_) @section.private) @scope
(class_specifier name: (_) @name body: (_) @body) @definition.class
(concept_definition name: (_) @name) @definition.type
(alias_declaration name: (_) @name) @definition.type
(template_declaration (_) @of) @around

(function_definition declarator: [
  (function_declarator declarator: [
    (field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [
    (field_identifier) (qualified_identifier) (operator_name)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
    declarator: [(field_identifier) (qualified_identifier)] @name)))
  (reference_declarator (function_declarator declarator: [
    (identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))
  (function_declarator declarator: (template_function) @name)
  (operator_cast) @name
  (qualified_identifier name: (operator_cast)) @name]) @definition.function
(function_definition declarator: (function_declarator
  declarator: (qualified_identifier name: (destructor_name)) @name)) @definition.method
(function_definition [(default_method_clause) (delete_method_clause)] @body) @of
(field_declaration_list (function_definition !type declarator:
  (function_declarator declarator: (identifier) @name)) @definition.constructor)
(field_declaration_list (template_declaration (function_definition !type declarator:
  (function_declarator declarator: (identifier) @name)) @definition.constructor))
(function_definition !type declarator: (function_declarator
  declarator: (qualified_identifier name: (identifier)) @name)) @definition.constructor
(function_definition (field_initializer_list) @body) @of

; Announced here, defined elsewhere.
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [
    (field_identifier) (operator_name)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
    declarator: (field_identifier) @name)))
  (reference_declarator (function_declarator declarator: [
    (field_identifier) (operator_name)] @name))]) @definition.declaration
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(declaration declarator: [
  (function_declarator declarator: [(destructor_name) (operator_name)] @name)
  (reference_declarator (function_declarator declarator: [
    (identifier) (operator_name)] @name))
  (operator_cast) @name]) @definition.declaration
(declaration declarator: (init_declarator declarator: [
  (qualified_identifier) @name
  (pointer_declarator declarator: (qualified_identifier) @name)])) @definition.variable

(field_declaration_list [
  (access_specifier "public") @section.public
  (access_specifier "protected") @section.protected
  (access_specifier "private") @section.private])

(declaration_list [
  (function_definition (storage_class_specifier) @modifier)
  (declaration (storage_class_specifier) @modifier)] @of)
(attribute_declaration) @attribute
