"""The errors of retrieval, as one tree.

RetrievalError           a value is not allowed, or a component cannot do its work
├── ChunkerError         a chunker's settings
├── TokenizerError       a tokenizer is not available, or cannot count a text
├── ParserError          a language's grammar or query
├── LexicalError         the settings of a lexical retriever
├── ModelError           a model cannot be loaded or used
├── VectorError          a vector engine cannot store or search vectors
├── GraphError           a graph cannot be walked, scored or packed
├── SeedError            the seeds of a walk cannot be found
├── ExternalError        an external engine failed, or its answer cannot be used
├── ServerError          a server failed
├── FusionError          rankings cannot be fused
├── RulesError           rules cannot be applied
├── ListingError         the unit of a ranking
└── AnswererError        an answerer's settings

They are `ValueError`s, since most of them are raised while settings are built. The caller knows
the name that the user typed and adds it to the message.
"""


class RetrievalError(ValueError):
    """A value is not allowed, or a component of retrieval cannot do its work."""


class ChunkerError(RetrievalError):
    """A setting of a chunker has a value that is not allowed."""


class TokenizerError(RetrievalError):
    """The requested tokenizer is not available, or cannot count a text."""


class ParserError(RetrievalError):
    """A language's grammar or query cannot be used."""


class LexicalError(RetrievalError):
    """A setting of a lexical retriever has a name or a value that is not allowed."""


class ModelError(RetrievalError):
    """A model cannot be loaded, or cannot be used with its settings."""


class VectorError(RetrievalError):
    """Vectors cannot be stored or searched, or a vector engine cannot be reached."""


class GraphError(RetrievalError):
    """A graph cannot be walked, scored or packed with these settings."""


class SeedError(RetrievalError):
    """The seeds of a walk cannot be found with these settings."""


class ExternalError(RetrievalError):
    """An external engine failed, or its answer cannot be used."""


class ServerError(RetrievalError):
    """A server cannot be reached, or its answer is not valid."""


class FusionError(RetrievalError):
    """Rankings cannot be fused with these settings."""


class RulesError(RetrievalError):
    """Rules cannot be applied with these settings."""


class ListingError(RetrievalError):
    """A setting of the unit of a ranking has a value that is not allowed."""


class AnswererError(RetrievalError):
    """A setting of an answerer has a value that is not allowed."""
