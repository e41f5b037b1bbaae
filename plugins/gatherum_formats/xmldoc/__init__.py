"""What the document types written in XML have in common."""
