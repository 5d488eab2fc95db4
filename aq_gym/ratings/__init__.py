"""Ratings of episodes by models: criteria, ratings, and their verification.

Models suggest criteria and rate episodes on them, and the robust criteria are kept
(Arabzadeh et al., "Assessing and Verifying Task Utility in LLM-Powered Applications",
EMNLP 2024: AgentEval).
"""

from aq_gym.ratings.assess import assess, plan
from aq_gym.ratings.criteria import Criterion, load_criteria, save_criteria
from aq_gym.ratings.judge import Judge
from aq_gym.ratings.published import published_criteria, published_ratings
from aq_gym.ratings.results import Settings
from aq_gym.ratings.verifier import Ratings, Thresholds, verify

__all__ = [
    "Criterion",
    "Judge",
    "Ratings",
    "Settings",
    "Thresholds",
    "assess",
    "load_criteria",
    "plan",
    "published_criteria",
    "published_ratings",
    "save_criteria",
    "verify",
]
