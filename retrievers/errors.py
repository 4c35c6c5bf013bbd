"""What can go wrong in retrieval, as one tree.

RetrievalError           a value is not allowed, or a part cannot do what it is asked
├── ChunkerError         a chunker's settings
├── TokenizerError       a text cannot be counted in the tokens asked for
├── ParserError          a language's grammar or query
├── LexicalError         the settings of a lexical retriever
├── ModelError           a model cannot be loaded or used
├── VectorError          a vector engine cannot hold or search vectors
├── GraphError           a graph cannot be walked, scored or packed
├── SeedError            a walk has no place to begin
├── ExternalError        an external engine failed, or its answer cannot be used
├── ServerError          a server failed
├── FusionError          rankings cannot be fused
├── RulesError           rules cannot be applied
├── ListingError         the unit of a ranking
└── AnswererError        an answerer's settings

They are `ValueError`s: most of them are raised when settings are built, where a caller who knows
the name that the user typed adds it to the message.
"""


class RetrievalError(ValueError):
    """A value is not allowed, or a part of retrieval cannot do what it is asked."""


class ChunkerError(RetrievalError):
    """A setting of a chunker has a value that is not allowed."""


class TokenizerError(RetrievalError):
    """A text cannot be counted in the tokens asked for."""


class ParserError(RetrievalError):
    """A language's grammar or query cannot be used."""


class LexicalError(RetrievalError):
    """A setting of a lexical retriever has a name or a value that is not allowed."""


class ModelError(RetrievalError):
    """A model cannot be loaded, or cannot be used as its settings say."""


class VectorError(RetrievalError):
    """Vectors cannot be held or searched, or an engine cannot be reached."""


class GraphError(RetrievalError):
    """A graph cannot be walked, scored or packed as asked."""


class SeedError(RetrievalError):
    """The seeds of a walk cannot be found as asked."""


class ExternalError(RetrievalError):
    """An external engine cannot be asked, or its answer cannot be used."""


class ServerError(RetrievalError):
    """A server cannot be asked, or did not answer as it should."""


class FusionError(RetrievalError):
    """Rankings cannot be fused as asked."""


class RulesError(RetrievalError):
    """Rules cannot be applied as asked."""


class ListingError(RetrievalError):
    """A setting of the unit of a ranking has a value that is not allowed."""


class AnswererError(RetrievalError):
    """A setting of an answerer has a value that is not allowed."""
