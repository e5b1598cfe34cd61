"""What happens between a compiled kernel and a device."""
