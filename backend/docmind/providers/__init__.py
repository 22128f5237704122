"""One file a vendor; each turns the vendor's errors into ours."""
