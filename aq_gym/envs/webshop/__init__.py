"""A shop in which the agent searches for and buys the product of an instruction."""

from aq_gym.envs.webshop.env import WebShopEnv

__all__ = ["WebShopEnv"]
