"""From outline entries and headings to a valid page-ranged tree."""
