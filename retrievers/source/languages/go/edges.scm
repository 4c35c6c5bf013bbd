; What a Go file uses. docs/edges.md tells what the captures mean.

(import_spec !name path: (_) @import.module)
(import_spec name: (package_identifier) @import.as path: (_) @import.module)
(import_spec name: (dot) @import.all path: (_) @import.module)

(call_expression function: (_) @call)
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @call)
(call_expression function: (_) @text.of
  arguments: (argument_list . (interpreted_string_literal (_) @text)))
((call_expression function: (selector_expression) @endpoint.of
  arguments: (argument_list . (interpreted_string_literal . (_) @endpoint .)))
  (#match? @endpoint "^(https?:/)?/"))
(call_expression function: (selector_expression) @route.of arguments: (argument_list
  . (interpreted_string_literal) @route [(identifier) (selector_expression)] @route.handler .))

(argument_list [(identifier) (selector_expression)] @argument)
(keyed_element value: (literal_element [(identifier) (selector_expression)] @reference))
(expression_list [(identifier) (selector_expression)] @reference)
(binary_expression [(identifier) (selector_expression)] @reference)
(index_expression operand: [(identifier) (selector_expression)] @reference)
(unary_expression operand: [(identifier) (selector_expression)] @reference)
(selector_expression operand: (_) field: (_)) @access

(struct_type (field_declaration_list (field_declaration !name type: (_) @extends)))
(interface_type (type_elem (_) @extends))

(field_declaration name: (_) @bound type: (_) @bound.type)
(parameter_declaration name: (_) @bound type: (_) @bound.type)
(variadic_parameter_declaration name: (_) @bound)
(var_spec name: (_) @bound type: (_) @bound.type)
(var_spec name: (identifier) @bound !type value: (expression_list . (_) @bound.value))
(short_var_declaration left: (expression_list . (identifier) @bound)
  right: (expression_list . (_) @bound.value))
(short_var_declaration left: (expression_list (_) (identifier) @bound))
(range_clause left: (expression_list (identifier) @bound))
(type_switch_statement alias: (expression_list (identifier) @bound))
(function_declaration result: (_) @returns)
(method_declaration result: (_) @returns)
(method_elem result: (_) @returns)
(type_conversion_expression type: (_) @hint)
(type_assertion_expression type: (_) @hint)
