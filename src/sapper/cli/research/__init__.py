"""Commands for studies: agents against each other, sweeps, the reports, chains of influence."""
