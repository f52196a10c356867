"""Ways of reasoning from an observation, one file each."""
