"""What is worth remembering of the user between conversations."""
