; What defines something in Ruby. docs/languages.md tells what the captures mean.

(module name: (_) @name) @definition.module @visibility.public
(class name: (_) @name) @definition.class @visibility.public
(method name: (_) @name) @definition.method
(program (method name: (_) @name) @definition.function)
((method name: (identifier) @name) @definition.constructor
  (#eq? @name "initialize"))
(singleton_method name: (_) @name) @definition.method @visibility.public
(singleton_method object: (constant) @qualifier name: (_) @name)
(singleton_class) @scope
(alias name: (_) @name) @definition.method

; Constants, and the classes that some are.
(assignment left: [(constant) (scope_resolution)] @name) @definition.constant @visibility.public
(operator_assignment left: [(constant) (scope_resolution)] @name)
  @definition.constant @visibility.public
(assignment left: (left_assignment_list (constant) @name)) @definition.constant @visibility.public
((assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new)) @definition.class
  (#match? @_class "^(Struct|Class|Module|Data)$")
  (#match? @_new "^(new|define)$"))

; Methods that methods define.
((call !receiver method: (identifier) @_attribute
  arguments: (argument_list [(simple_symbol) (string)] @name)) @definition.property
  (#match? @_attribute "^attr(_reader|_writer|_accessor)?$"))
((call !receiver method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) (string)] @name)) @definition.method
  (#match? @_define "^(alias_method|define_method|define_singleton_method)$"))

[(module body: (_) @body)
 (class body: (_) @body)
 (method body: (_) @body)
 (singleton_method body: (_) @body)] @of

; Visibility: from a word on, or for the methods that it is given.
(call !receiver arguments: (argument_list . [(method) (singleton_method) (call)] @of)) @around
((body_statement (identifier) @section.private) (#eq? @section.private "private"))
((body_statement (identifier) @section.protected) (#eq? @section.protected "protected"))
((body_statement (identifier) @section.public) (#eq? @section.public "public"))
((call !receiver method: (identifier) @_private
  arguments: (argument_list . [(method) (singleton_method) (call)] @of @visibility.private))
  (#match? @_private "^private(_class_method)?$"))
((call !receiver method: (identifier) @_private
  arguments: (argument_list (simple_symbol) @named.private))
  (#match? @_private "^private(_class_method|_constant)?$"))
((call !receiver method: (identifier) @_protected
  arguments: (argument_list . [(method) (call)] @of @visibility.protected))
  (#eq? @_protected "protected"))
((call !receiver method: (identifier) @_protected
  arguments: (argument_list (simple_symbol) @named.protected))
  (#eq? @_protected "protected"))
((call !receiver method: (identifier) @_public
  arguments: (argument_list . [(method) (call)] @of @visibility.public))
  (#eq? @_public "public"))
((call !receiver method: (identifier) @_public
  arguments: (argument_list (simple_symbol) @named.public))
  (#match? @_public "^public(_class_method)?$"))

(comment) @comment
