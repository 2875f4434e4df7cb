"""Random schemas and instances, and what three validators say of them."""
