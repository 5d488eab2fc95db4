"""Sudoku: fill the board so that no row, column or box repeats a digit."""

from aq_gym.envs.sudoku.env import SudokuEnv

__all__ = ["SudokuEnv"]
