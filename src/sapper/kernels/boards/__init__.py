"""Opening cells, and boards that need no guess."""
