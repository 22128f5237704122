"""From a PDF's raw lines, outline and links to page text, page kinds and outline entries."""
