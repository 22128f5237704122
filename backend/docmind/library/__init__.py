"""What has been read: documents, trees, pages, and finding pages by words."""
