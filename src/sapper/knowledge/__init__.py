"""What an observation says, before anybody reasons about it: statements, boxes, components."""
