; What defines something in Elixir. docs/languages.md tells what the captures mean.

((call target: (identifier) @_module (arguments . (alias) @name)) @definition.module
  (#eq? @_module "defmodule"))
((call target: (identifier) @_module (arguments . (alias) @name)) @definition.interface
  (#eq? @_module "defprotocol"))
((call target: (identifier) @_module (arguments . (alias) @name)
  (do_block (unary_operator operand: (call target: (identifier) @_doc
    (arguments . (string (quoted_content) @doc))))))
  (#any-of? @_module "defmodule" "defprotocol") (#eq? @_doc "moduledoc"))
; What implements a protocol belongs to its type.
((call target: (identifier) @_module (arguments (alias) (keywords
  (pair key: (keyword) @_for value: (alias) @scope.name)))) @scope
  (#eq? @_module "defimpl") (#match? @_for "^for:"))

((call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate"))
((call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_def
  (arguments . (binary_operator operator: _ @name))) @definition.function
  (#any-of? @_def "def" "defp") (#not-eq? @name "when"))
((call target: (identifier) @_impl (do_block (call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @definition.method))
  (#eq? @_impl "defimpl") (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def) @of @visibility.private
  (#any-of? @_def "defp" "defmacrop" "defguardp"))

((call target: (identifier) @_struct (arguments
  [(list [(atom) @name (keywords (pair key: (_) @name))])
   (keywords (pair key: (_) @name))])) @definition.field
  (#any-of? @_struct "defstruct" "defexception"))
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)))
  @definition.constant
  (#not-match? @name "^(after_compile|before_compile|behaviour|callback|compile|deprecated|derive|describetag|dialyzer|doc|enforce_keys|external_resource|impl|macrocallback|moduledoc|moduletag|on_definition|on_load|opaque|optional_callbacks|since|spec|tag|type|typedoc|typep|vsn)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::"))))
  @definition.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_type)) @of
  @visibility.private
  (#eq? @_type "typep"))
((unary_operator operator: "@" operand: (call target: (identifier) @_callback (arguments
  (binary_operator left: (call target: (identifier) @name) operator: "::"))))
  @definition.declaration
  (#any-of? @_callback "callback" "macrocallback"))

[(call (do_block) @body)
 (call (arguments "," @body . (keywords) .))] @of

((unary_operator operator: "@" operand: (call target: (identifier) @_doc
  (arguments . [(string) (sigil)]))) @comment @documentation
  (#any-of? @_doc "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_doc
  (arguments . (boolean)))) @attribute
  (#any-of? @_doc "doc" "typedoc" "impl"))
((unary_operator operator: "@" operand: (call target: (identifier) @_spec)) @attribute
  (#any-of? @_spec "spec" "impl" "deprecated" "since" "tag"))
(comment) @comment
