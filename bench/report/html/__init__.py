"""The report as one HTML file that needs no network."""

from bench.report.html.page import page_of

__all__ = ["page_of"]
