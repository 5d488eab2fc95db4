"""WebShop: find the product that an instruction describes, and buy it."""

from aq_gym.envs.webshop.env import WebShopEnv

__all__ = ["WebShopEnv"]
