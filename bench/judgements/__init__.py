"""What is asked and what is right: queries, their targets in source, and files that hold them."""
