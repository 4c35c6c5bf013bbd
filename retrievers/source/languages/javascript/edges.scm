; What only JavaScript says in this way. docs/edges.md tells what the captures mean.

(class_heritage (_) @extends)
(field_definition property: (_) @bound value: (_) @bound.value)
(formal_parameters [
  (identifier) @bound
  (assignment_pattern left: (identifier) @bound)
  (rest_pattern (identifier) @bound)])
