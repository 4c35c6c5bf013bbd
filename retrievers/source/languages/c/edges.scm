; What files of C and C++ use alike. docs/edges.md tells what the captures mean.

(preproc_include path: (_) @import.module) @import.all

(call_expression function: (_) @call)
(call_expression function: (_) @text.of
  arguments: (argument_list . (string_literal (string_content) @text)))

(argument_list [(identifier) (field_expression)] @argument)
(argument_list (pointer_expression argument: (identifier) @argument))
(init_declarator value: [(identifier) (field_expression)] @reference)
(assignment_expression right: [(identifier) (field_expression)] @reference)
(initializer_list [(identifier) (pointer_expression argument: (identifier))] @reference)
(initializer_pair value: (identifier) @reference)
(return_statement [(identifier) (field_expression)] @reference)
(binary_expression [(identifier) (field_expression)] @reference)
(subscript_expression argument: [(identifier) (field_expression)] @reference)
(case_statement value: (identifier) @reference)
(field_expression) @access

(parameter_declaration type: (_) @bound.type declarator: (identifier) @bound)
(parameter_declaration type: (_) @bound.type
  declarator: (pointer_declarator declarator: (identifier) @bound))
(parameter_declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bound))))
(declaration type: (_) @bound.type declarator: (identifier) @bound)
(declaration type: (_) @bound.type declarator: (pointer_declarator declarator: (identifier) @bound))
(declaration type: (_) @bound.type
  declarator: (init_declarator declarator: (identifier) @bound value: (_) @bound.value))
(declaration type: (_) @bound.type declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @bound) value: (_) @bound.value))
(field_declaration type: (_) @bound.type declarator: (field_identifier) @bound)
(field_declaration type: (_) @bound.type
  declarator: (pointer_declarator declarator: (field_identifier) @bound))
(function_definition type: (_) @returns)
(cast_expression type: (_) @hint)
(sizeof_expression type: (_) @hint)
