"""Words of development tasks that name an action or a sort of thing, but not a particular one."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS

_WORD = re.compile(r"\w+")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


NAMING_VERBS = _words(
    "calculate calculates calculating compute computes computing determine determines determining"
)
"""Verbs that do not name a symbol alone, but with a noun: `compute_total`."""

ACTION_VERBS = NAMING_VERBS | _words(
    "add adds adding added adjust allow allows avoid bring build builds change changes changing "
    "check clean complete convert correct create creates creating debug define delete deprecate "
    "design detect disable document drop eliminate enable ensure ensures expand expose extend "
    "extract find fix fixes fixing fixed handle improve implement implements implementing include "
    "increase integrate introduce investigate keep let locate look make makes making modify move "
    "optimise optimize port prevent provide reduce refactor refactoring remove removes removing "
    "rename reorganise reorganize replace reproduce resolve restore restructure return rework "
    "rewrite show simplify speed split stop support supports supporting switch trace understand "
    "unify update updates updating upgrade use uses using verify want write"
)

PROGRAMMING_TERMS = _words(
    "arg args bool bug bugs class classes const def else err float fn func function functions "
    "instead int issue issues let method methods new nil none null old param params program self "
    "str struct true false type types var variable variables void"
)
"""Terms that occur in tasks of any topic."""

FILLERS = _words(
    "ability able again alone already always another anything back behavior behaviour capability "
    "case cases certain code correctly currently different either else enough even every "
    "everything existing feature features first functionality given gives gone got happens help "
    "implementation itself kind know last later less like likely long longer lot many much never "
    "nothing now off often once one ones other others otherwise own part parts people piece "
    "pieces place proper properly rather really same second see several since someone something "
    "still stuff such support take takes thing things think tool tools turn turned turns two "
    "usual way ways well whatever whole within without work working works"
)
"""Nouns, adverbs and other words without a specific meaning."""

STOPPED = STOP_WORDS | QUESTION_WORDS | PROGRAMMING_TERMS | ACTION_VERBS

ABBREVIATIONS: Mapping[str, str] = MappingProxyType(
    {
        "addr": "address",
        "alloc": "allocate",
        "app": "application",
        "async": "asynchronous",
        "attr": "attribute",
        "attrs": "attributes",
        "auth": "authentication",
        "buf": "buffer",
        "calc": "calculate",
        "cb": "callback",
        "cert": "certificate",
        "cfg": "config",
        "char": "character",
        "cmd": "command",
        "cmp": "compare",
        "col": "column",
        "conf": "config",
        "config": "configuration",
        "conn": "connection",
        "ctx": "context",
        "db": "database",
        "deps": "dependencies",
        "desc": "description",
        "dest": "destination",
        "dir": "directory",
        "doc": "document",
        "docs": "documentation",
        "dst": "destination",
        "elem": "element",
        "env": "environment",
        "eval": "evaluate",
        "evt": "event",
        "exc": "exception",
        "exec": "execute",
        "expr": "expression",
        "fmt": "format",
        "gen": "generate",
        "hdr": "header",
        "idx": "index",
        "impl": "implementation",
        "info": "information",
        "init": "initialize",
        "iter": "iterator",
        "len": "length",
        "lib": "library",
        "loc": "location",
        "max": "maximum",
        "mem": "memory",
        "mgr": "manager",
        "min": "minimum",
        "mod": "module",
        "msg": "message",
        "mut": "mutable",
        "num": "number",
        "obj": "object",
        "op": "operation",
        "ops": "operations",
        "opt": "option",
        "opts": "options",
        "perf": "performance",
        "perm": "permission",
        "pkg": "package",
        "pos": "position",
        "pred": "predicate",
        "prev": "previous",
        "proc": "process",
        "prop": "property",
        "props": "properties",
        "proto": "protocol",
        "ptr": "pointer",
        "pwd": "password",
        "ref": "reference",
        "repo": "repository",
        "req": "request",
        "res": "response",
        "resp": "response",
        "seq": "sequence",
        "sess": "session",
        "spec": "specification",
        "src": "source",
        "srv": "server",
        "stats": "statistics",
        "stmt": "statement",
        "svc": "service",
        "sync": "synchronize",
        "sys": "system",
        "temp": "temporary",
        "tmp": "temporary",
        "txn": "transaction",
        "tx": "transaction",
        "usr": "user",
        "util": "utility",
        "val": "value",
        "vec": "vector",
        "ver": "version",
    }
)
"""Abbreviations and their full words."""
