"""Ways of reasoning, one file each: functions from facts and clues to deductions.

All of them return the `deduction` with its reason. They know `knowledge` and each other, no posterior and no engine.
"""
