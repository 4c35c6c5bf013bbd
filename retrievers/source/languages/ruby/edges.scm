; What a Ruby file uses. docs/edges.md tells what the captures mean.

((call !receiver method: (identifier) @_require
   arguments: (argument_list (string (string_content) @import.module)))
  (#eq? @_require "require"))
((call !receiver method: (identifier) @_require
   arguments: (argument_list (string (string_content) @import.module)))
  (#eq? @_require "require_relative"))

(call !receiver method: (identifier) @call)
(call receiver: (_) @call.on method: (identifier) @call)
(call receiver: (_) @text.on method: (identifier) @text.of
  arguments: (argument_list . (string (string_content) @text)))
(call !receiver method: (identifier) @text.of
  arguments: (argument_list . (string (string_content) @text)))
(element_reference object: (_) @text.of (string (string_content) @text))
(call !receiver method: (identifier) @route.of arguments: (argument_list . (string) @route))

(body_statement (identifier) @argument)
(argument_list [(identifier) (constant) (scope_resolution)] @argument)
(assignment right: [(identifier) (constant) (scope_resolution)] @argument)
(binary [(identifier) (constant) (scope_resolution)] @argument)
(call receiver: (identifier) @argument)
(interpolation (identifier) @argument)
(if condition: (identifier) @argument)
(array [(constant) (scope_resolution)] @reference)
(pair value: [(identifier) (constant) (scope_resolution)] @argument)
(call receiver: [(constant) (scope_resolution)] @reference)
(superclass (_) @extends)
((call !receiver method: (identifier) @_include
   arguments: (argument_list [(constant) (scope_resolution)] @implements))
  (#any-of? @_include "include" "extend" "prepend"))
((call !receiver method: (identifier) @_raise
   arguments: (argument_list . [(constant) (scope_resolution)] @throws))
  (#eq? @_raise "raise"))
((call !receiver method: (identifier) @_raise
   arguments: (argument_list . (call receiver: [(constant) (scope_resolution)] @throws)))
  (#eq? @_raise "raise"))

(assignment left: [(identifier) (instance_variable)] @bound right: (_) @bound.value)
(left_assignment_list (identifier) @bound)
(method_parameters (identifier) @bound)
(optional_parameter name: (identifier) @bound)
(keyword_parameter name: (identifier) @bound)
(splat_parameter name: (identifier) @bound)
(hash_splat_parameter name: (identifier) @bound)
(block_parameter name: (identifier) @bound)
(block_parameters (identifier) @bound)
(lambda_parameters (identifier) @bound)
(exception_variable (identifier) @bound)
(for pattern: (identifier) @bound)
