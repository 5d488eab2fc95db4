"""The searches of the reference policy."""
