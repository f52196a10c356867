"""Ways of reasoning as people do, one file each: functions from facts and clues to deductions.

All of them return the `Deduction` of `single` with its reason. They know no posterior and no engine.
"""
