"""The games that visitors play: kept in a `store`, brought back to life (`live`), shown to their player (`states`)."""
