"""The report as one HTML file that needs no network: what it shows, and how it is drawn."""

from bench.report.html.page import page_of

__all__ = ["page_of"]
