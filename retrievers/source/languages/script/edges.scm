; What files of JavaScript and TypeScript use alike; no language by itself. docs/edges.md tells
; what the captures mean.

(call_expression function: (_) @call)
(new_expression constructor: (_) @call)
(call_expression function: [(identifier) (member_expression)] @text.of
  arguments: (arguments . (string (string_fragment) @text)))
((call_expression function: [(identifier) (member_expression)] @endpoint.of
  arguments: (arguments . (string . (string_fragment) @endpoint .)))
  (#match? @endpoint "^(https?:/)?/"))
((member_expression object: (member_expression object: (identifier) @_process) @text.of
  property: (property_identifier) @text) (#eq? @_process "process"))
(subscript_expression object: (member_expression) @text.of index: (string (string_fragment) @text))
(call_expression function: (member_expression) @route.of
  arguments: (arguments . (string) @route [(identifier) (member_expression)] @route.handler .))
(decorator (call_expression function: (identifier) @route.of arguments: (arguments . (string) @route)))

(arguments [(identifier) (member_expression)] @argument)
(return_statement [(identifier) (member_expression)] @reference)
(array [(identifier) (member_expression)] @reference)
(pair value: [(identifier) (member_expression)] @reference)
(shorthand_property_identifier) @reference
(variable_declarator value: [(identifier) (member_expression)] @reference)
(assignment_expression right: [(identifier) (member_expression)] @reference)
(binary_expression [(identifier) (member_expression)] @reference)
(ternary_expression [(identifier) (member_expression)] @reference)
(spread_element (identifier) @reference)
(template_substitution [(identifier) (member_expression)] @reference)
(subscript_expression object: (identifier) @reference)
(arrow_function body: (identifier) @reference)
(member_expression object: [(identifier) (this) (member_expression)]) @access

(import_statement "import" . source: (string (string_fragment) @import.module))
(import_statement (import_clause (identifier) @import.default)
  source: (string (string_fragment) @import.module))
(import_statement (import_clause (namespace_import (identifier) @import.as))
  source: (string (string_fragment) @import.module))
; Names in braces get their module from the statement around them, which is a @source.
(import_statement source: (string (string_fragment) @source.module)) @source
(export_statement source: (string (string_fragment) @source.module)) @source
(import_specifier name: (_) @import.name !alias)
(import_specifier name: (_) @import.name alias: (_) @import.as)
(export_specifier name: (_) @import.name !alias)
(export_specifier name: (_) @import.name alias: (_) @import.as)
(export_statement (namespace_export (_) @import.as)
  source: (string (string_fragment) @import.module))
(export_statement "*" @import.all source: (string (string_fragment) @import.module))

(export_statement (export_clause (export_specifier name: (_) @export.name alias: (_) @export.as))
  !source)
(export_statement "default" @export.as declaration: (_ name: (_) @export.name))
(export_statement "default" @export.as value: (identifier) @export.name)
((assignment_expression left: (member_expression property: (property_identifier) @export.as)
    @_exports right: (identifier) @export.name)
  (#match? @_exports "^(module\\.)?exports\\."))
((assignment_expression left: (member_expression object: (identifier) @_module
    property: (property_identifier) @export.as) right: (identifier) @export.name)
  (#eq? @_module "module") (#eq? @export.as "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module
    property: (property_identifier) @export.as) right: (new_expression) @export.name)
  (#eq? @_module "module") (#eq? @export.as "exports"))
((assignment_expression left: (member_expression) @_exports
  right: (object (pair key: (property_identifier) @export.as value: (identifier) @export.name)))
  (#eq? @_exports "module.exports"))

((variable_declarator name: (identifier) @import.whole value: (call_expression
    function: (identifier) @_require arguments: (arguments (string (string_fragment) @import.module))))
  (#eq? @_require "require"))
((variable_declarator name: (identifier) @import.as value: (member_expression
    object: (call_expression function: (identifier) @_require
      arguments: (arguments (string (string_fragment) @import.module)))
    property: (property_identifier) @import.name))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern) @source value: (call_expression
    function: (identifier) @_require arguments: (arguments (string (string_fragment) @source.module))))
  (#eq? @_require "require"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name))
(variable_declarator name: (object_pattern
  (pair_pattern key: (_) @import.name value: (identifier) @import.as)))

(decorator (_) @decorator)
(throw_statement (new_expression constructor: (_) @throws))
(throw_statement (call_expression function: (_) @throws))

(variable_declarator name: (identifier) @bound value: (_) @bound.value)
(variable_declarator name: (identifier) @bound !value)
(object_pattern [
  (shorthand_property_identifier_pattern) @bound
  (pair_pattern value: (identifier) @bound)
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bound)
  (rest_pattern (identifier) @bound)])
(array_pattern (identifier) @bound)
(assignment_expression left: (identifier) @bound right: (_) @bound.value)
(assignment_expression left: (member_expression object: (this)) @bound right: (_) @bound.value)
(arrow_function parameter: (identifier) @bound)
(catch_clause parameter: (identifier) @bound)
(for_in_statement left: (identifier) @bound)
