; What defines something in Haskell. docs/languages.md tells what the captures mean.

(data_type name: (_) @name) @definition.struct
(newtype name: (_) @name) @definition.struct
(class name: (_) @name) @definition.trait
[(type_synonym name: (_) @name)
 (type_family name: (_) @name)
 (data_family name: (_) @name)] @definition.type
[(data_constructor [
   (prefix name: (_) @name)
   (record name: (_) @name)
   (infix operator: (_) @name)])
 (newtype_constructor name: (_) @name)
 (gadt_constructor name: (_) @name)] @definition.variant
(field name: (field_name (variable) @name)) @definition.field

; A signature and the equations that follow it are one definition.
(declarations (signature name: (_) @name) @definition.function)
(declarations (signature names: (binding_list name: (_) @name)) @definition.function)
(function name: (_) @name) @definition.function
(function (infix operator: (_) @name)) @definition.function
(declarations (bind name: (_) @name) @definition.function)
(declarations (bind pattern: (tuple (variable) @name)) @definition.function)
(pattern_synonym (signature synonym: (_) @name)) @definition.function
(pattern_synonym (equation synonym: [
  (constructor) @name
  (apply function: (constructor) @name)
  (apply function: (apply function: (constructor) @name))])) @definition.function
(foreign_import signature: (signature name: (_) @name)) @definition.declaration

; What is in a class or an instance belongs to a type.
(class_declarations (signature name: (_) @name) @definition.method)
(class_declarations (signature names: (binding_list name: (_) @name)) @definition.method)
(class_declarations (function name: (_) @name) @definition.method)
(class_declarations (bind name: (_) @name) @definition.method)
(instance patterns: (type_patterns . [
  (name) @scope.name
  (list element: (name) @scope.name)
  (parens (apply constructor: (name) @scope.name))])) @scope
(instance_declarations (function name: (_) @name) @definition.method)
(instance_declarations (function (infix operator: (_) @name)) @definition.method)
(instance_declarations (bind name: (_) @name) @definition.method)

[(data_type constructors: (_) @body)
 (newtype constructor: (_) @body)
 (class declarations: (_) @body)
 (function match: (_) @body)
 (bind match: (_) @body)] @of

; If a module says what it exports, the rest is its own.
(header exports: (exports) @section.private)
(export [(variable) (name) (prefix_id)] @named.public)

[(comment) (haddock)] @comment
