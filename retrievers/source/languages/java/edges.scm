; What a Java file uses. docs/edges.md tells what the captures mean.

(package_declaration (_) @package)
(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) .)
(import_declaration (_) @import.module (asterisk) @import.all)

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @call.on name: (identifier) @call)
(object_creation_expression type: (_) @call)
(explicit_constructor_invocation constructor: (super) @call)
(method_invocation object: (_) @text.on name: (identifier) @text.of
  arguments: (argument_list . (string_literal (string_fragment) @text)))
(object_creation_expression type: (_) @text.of
  arguments: (argument_list . (string_literal (string_fragment) @text)))
(annotation name: (_) @route.of
  arguments: (annotation_argument_list . (string_literal) @route))
(annotation name: (_) @route.of arguments: (annotation_argument_list
  . (element_value_pair value: (string_literal) @route)))

(argument_list [(identifier) (field_access) (method_reference)] @argument)
(return_statement [(identifier) (field_access)] @reference)
(binary_expression [(identifier) (field_access)] @reference)
(assignment_expression [(identifier) (field_access)] @reference)
(variable_declarator value: [(identifier) (field_access)] @reference)
(ternary_expression [(identifier) (field_access)] @reference)
(array_access array: [(identifier) (field_access)] @reference)
(update_expression [(identifier) (field_access)] @reference)
(unary_expression [(identifier) (field_access)] @reference)
(method_invocation object: [(identifier) (field_access)] @access)
(field_access) @access
(class_literal (_) @reference)

(superclass (_) @extends)
(super_interfaces (type_list (_) @implements))
(extends_interfaces (type_list (_) @extends))
(marker_annotation name: (_) @decorator)
(annotation name: (_) @decorator)
(throw_statement (object_creation_expression type: (_) @throws))
(throws (_) @throws)

(field_declaration type: (_) @bound.type declarator: (variable_declarator name: (identifier) @bound))
(local_variable_declaration type: (_) @bound.type
  declarator: (variable_declarator name: (identifier) @bound value: (_) @bound.value))
(local_variable_declaration type: (_) @bound.type
  declarator: (variable_declarator name: (identifier) @bound !value))
(formal_parameter type: (_) @bound.type name: (identifier) @bound)
(spread_parameter (variable_declarator name: (identifier) @bound))
(catch_formal_parameter (catch_type) @bound.type name: (identifier) @bound)
(enhanced_for_statement type: (_) @bound.type name: (identifier) @bound)
(resource type: (_) @bound.type name: (identifier) @bound value: (_) @bound.value)
(lambda_expression parameters: (identifier) @bound)
(inferred_parameters (identifier) @bound)
(method_declaration type: (_) @returns)
(cast_expression type: (_) @hint)
(instanceof_expression right: (_) @hint)
