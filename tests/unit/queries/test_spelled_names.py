"""Names are found as languages and their tools spell them."""

import pytest

from bench.queries.matching import Definitions
from bench.queries.spellings import plain_name
from retrievers.interface import Documents
from retrievers.source import find_symbols

FILES = {
    "src/foo.rs": (
        "pub struct Foo<'a> { x: &'a str }\n"
        "impl<'a> Foo<'a> {\n    fn bar(&self) -> &str { self.x }\n}\n"
        "pub struct List<T> { v: Vec<T> }\n"
        "trait Show { fn show(&self); }\n"
        "impl<T: Clone> Show for List<T> {\n    fn show(&self) {}\n}\n"
        "impl<T> List<T> {\n    pub fn add(&mut self, t: T) {}\n}\n"
    ),
    "src/shop/Cart.java": (
        "package shop;\nclass Cart<T> {\n  Cart() { }\n  Cart(int n) { }\n  void put(T t) {}\n"
        "  static class Line { int n; }\n}\n"
    ),
    "stack.go": "package s\ntype Stack[T any] struct{}\nfunc (s *Stack[T]) Push(t T) { }\n",
    "vec.cpp": (
        "template <typename T> class Vec { public: void grow();\n"
        "bool operator<(const Vec<T>& o) const { return true; } };\n"
        "template <typename T> void Vec<T>::grow() { }\n"
    ),
    "p.py": "class P[T]:\n    def get(self): ...\n",
    "k.kt": "class K<T>(val x: T) {\n  constructor(n: Int, s: String) : this(s as T) { }\n}\n",
    "app/[id]/page.ts": "export class Page<T> { draw(): void {} }\n",
}
NAMES = {
    "impl<'a> Foo<'a>::bar": "src.foo.Foo.bar",
    "src/foo.rs::impl<'a> Foo<'a>::bar": "src.foo.Foo.bar",
    "Foo<'a>::bar": "src.foo.Foo.bar",
    "impl<T: Clone> Show for &'a mut List<T>::show": "src.foo.List.show",
    "<List<T> as Show>::show": "src.foo.List.show",
    "List<T>.add": "src.foo.List.add",
    "List<Map<K, fn(A) -> B>>::add": "src.foo.List.add",
    "List::<T>::add": "src.foo.List.add",
    "Stack[T].Push": "stack.Stack.Push",
    "(*Stack[T]).Push": "stack.Stack.Push",
    "Vec<T>::grow": "vec.Vec.grow",
    "Vec<T>::operator<": "vec.Vec.operator<",
    "P[T].get": "p.P.get",
    "P[T]": "p.P",
    "app/[id]/page.ts::Page<T>.draw": "app.[id].page.Page.draw",
    "Cart.<init>": "src.shop.Cart.Cart.Cart",
    "shop.Cart<T>#<init>": "src.shop.Cart.Cart.Cart",
    "src/shop/Cart.java::Cart.<init>": "src.shop.Cart.Cart.Cart",
    "K.<init>": "k.K.constructor",
    "Cart.Line.<init>": "src.shop.Cart.Cart.Line",
}
UNKNOWN = ("List[Symbol.iterator]", "<T>::add", "List<T", "Gone.<init>", "Gone<T>.add", "<init>")


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    documents = Documents.of(list(FILES.items()))
    return Definitions(documents, find_symbols(documents))


@pytest.mark.parametrize(("asked", "name"), NAMES.items(), ids=NAMES.keys())
def test_a_spelled_name_means_its_definition(
    asked: str, name: str, definitions: Definitions
) -> None:
    assert [one.name for one in definitions.meant_by(asked)] == [name]


@pytest.mark.parametrize("asked", UNKNOWN)
def test_no_definition_is_guessed(asked: str, definitions: Definitions) -> None:
    assert definitions.meant_by(asked) == []


@pytest.mark.parametrize("name", ["shop.cart.Cart.total", "a/b.c::operator<<", "x.rs:simple", ""])
def test_plain_names_stay_as_they_are(name: str) -> None:
    assert plain_name(name) == name
