; What files with elements such as <Button onClick={save}/> use; no language by itself.

((jsx_opening_element name: (_) @call) (#match? @call "^([A-Z]|.+[.])"))
((jsx_self_closing_element name: (_) @call) (#match? @call "^([A-Z]|.+[.])"))
(jsx_expression [(identifier) (member_expression)] @argument)
