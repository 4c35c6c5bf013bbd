; What a Python file uses. docs/edges.md tells what the captures mean.

(call function: [(attribute) (call) (subscript) (parenthesized_expression)] @call)
((call function: (identifier) @call) (#not-eq? @call "super"))
(call function: [(identifier) (attribute)] @text.of
  arguments: (argument_list . (string (string_content) @text)))
((call function: [(identifier) (attribute)] @endpoint.of
  arguments: (argument_list . (string (string_start) . (string_content) @endpoint . (string_end))))
  (#match? @endpoint "^(https?:/)?/"))
(call function: [(identifier) (attribute)] @text.of
  arguments: (argument_list . (list . (string (string_content) @text))))
(subscript value: [(identifier) (attribute)] @text.of
  subscript: (string (string_content) @text))
(call function: [(identifier) (attribute)] @route.of
  arguments: (argument_list . (string) @route . [(identifier) (attribute) (call)] @route.handler))

(call arguments: (argument_list [(identifier) (attribute)] @argument))
(keyword_argument value: [(identifier) (attribute)] @argument)
[(list [(identifier) (attribute)] @reference)
 (tuple [(identifier) (attribute)] @reference)
 (set [(identifier) (attribute)] @reference)
 (pair value: [(identifier) (attribute)] @reference)
 (return_statement [(identifier) (attribute)] @reference)
 (comparison_operator [(identifier) (attribute)] @reference)
 (binary_operator [(identifier) (attribute)] @reference)
 (subscript value: [(identifier) (attribute)] @reference)
 (assignment right: [(identifier) (attribute)] @reference)
 (expression_list [(identifier) (attribute)] @reference)]
(attribute object: [(identifier) (attribute)]) @access

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module
  alias: (identifier) @import.as))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.as))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.all)

(class_definition superclasses: (argument_list
  [(identifier) (attribute) (subscript) (call)] @extends))
(decorator (_) @decorator)
(decorator (call function: (_) @route.of
  arguments: (argument_list . (string) @route)))
(raise_statement . (_) @throws)

(function_definition return_type: (type) @returns)
(typed_parameter . [(identifier) (list_splat_pattern) (dictionary_splat_pattern)] @bound
  type: (type) @bound.type)
(typed_default_parameter name: (identifier) @bound type: (type) @bound.type)
(assignment left: [(identifier) (attribute)] @bound type: (type) @bound.type)
(assignment left: [(identifier) (attribute)] @bound !type right: (_) @bound.value)
(assignment left: (pattern_list (identifier) @bound))
(parameters (identifier) @bound)
(parameters [(list_splat_pattern (identifier) @bound) (dictionary_splat_pattern (identifier) @bound)])
(lambda_parameters (identifier) @bound)
(default_parameter name: (identifier) @bound)
(for_statement left: [(identifier) @bound (pattern_list (identifier) @bound)])
(for_statement left: (tuple_pattern (identifier) @bound))
(for_in_clause left: [(identifier) @bound (pattern_list (identifier) @bound)])
(as_pattern alias: (as_pattern_target (identifier) @bound))
(named_expression name: (identifier) @bound value: (_) @bound.value)
(augmented_assignment left: (identifier) @bound.again)
