; What a C# file uses. docs/edges.md tells what the captures mean.

(using_directive !name (_) @import.module) @import.all
(using_directive name: (_) @import.as (_) @import.module .)

(invocation_expression function: (_) @call)
(object_creation_expression type: (_) @call)
(invocation_expression function: (_) @text.of
  arguments: (argument_list . (argument (string_literal (string_literal_content) @text))))
(attribute name: (_) @route.of
  (attribute_argument_list . (attribute_argument (string_literal) @route)))
(invocation_expression function: (member_access_expression) @route.of
  arguments: (argument_list . (argument (string_literal) @route)
    (argument [(identifier) (member_access_expression)] @route.handler) .))

(argument [(identifier) (member_access_expression)] @argument)
(return_statement [(identifier) (member_access_expression)] @reference)
(arrow_expression_clause [(identifier) (member_access_expression)] @reference)
(binary_expression [(identifier) (member_access_expression)] @reference)
(assignment_expression [(identifier) (member_access_expression)] @reference)
(variable_declarator name: (_) [(identifier) (member_access_expression)] @reference)
(element_access_expression expression: [(identifier) (member_access_expression)] @reference)
(interpolation [(identifier) (member_access_expression)] @reference)
(member_access_expression expression: (_) @access)
(member_access_expression) @access
(typeof_expression type: (_) @hint)

(base_list (_) @extends)
(attribute name: (_) @decorator)
(throw_statement (object_creation_expression type: (_) @throws))
(throw_expression (object_creation_expression type: (_) @throws))

(variable_declaration type: (_) @bound.type (variable_declarator name: (_) @bound . ))
(variable_declaration type: (_) @bound.type
  (variable_declarator name: (_) @bound (_) @bound.value .))
(property_declaration type: (_) @returns)
(method_declaration returns: (_) @returns)
(local_function_statement type: (_) @returns)
(parameter type: (_) @bound.type name: (_) @bound)
(parameter !type name: (_) @bound)
(foreach_statement type: (_) @bound.type left: (identifier) @bound)
(catch_declaration type: (_) @bound.type name: (_) @bound)
(declaration_expression type: (_) @bound.type name: (_) @bound)
(declaration_pattern type: (_) @bound.type name: (_) @bound)
(lambda_expression parameters: (implicit_parameter) @bound)
(cast_expression type: (_) @hint)
