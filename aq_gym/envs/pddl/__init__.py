"""PDDL: planning domains played as text (AgentBoard, appendix)."""
