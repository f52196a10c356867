"""What ``scripts/course.py`` makes the course of: patterns to look for, puzzles that show them, and worked examples."""
