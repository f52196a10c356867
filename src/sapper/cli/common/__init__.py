"""What the commands share: options, files, progress. It knows none of them."""
