"""The domain gripper."""
