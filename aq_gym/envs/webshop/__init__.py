"""A shop to search, in which the product that an instruction describes is bought."""

from aq_gym.envs.webshop.env import WebShopEnv

__all__ = ["WebShopEnv"]
