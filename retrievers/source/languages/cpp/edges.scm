; What only C++ says in this way. docs/edges.md tells what the captures mean.

((using_declaration "namespace" (_) @import.module) @import.all)
(new_expression type: (_) @call)
(declaration type: [(type_identifier) (qualified_identifier)] @call
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)
(throw_statement (call_expression function: (_) @throws))
(argument_list [(qualified_identifier)] @argument)
(argument_list (pointer_expression argument: (qualified_identifier) @argument))
(binary_expression (qualified_identifier) @reference)

(parameter_declaration type: (_) @bound.type
  declarator: (reference_declarator (identifier) @bound))
(optional_parameter_declaration type: (_) @bound.type declarator: (identifier) @bound)
(declaration type: (_) @bound.type declarator: (init_declarator
  declarator: (reference_declarator (identifier) @bound) value: (_) @bound.value))
(for_range_loop type: (_) @bound.type declarator: (identifier) @bound)
(for_range_loop type: (_) @bound.type declarator: (reference_declarator (identifier) @bound))
(structured_binding_declarator (identifier) @bound)
(trailing_return_type (_) @returns)
