"""Environments that give wrong texts, or read texts wrongly."""

from toy_envs import HasSecret, LampsEnv

from aq_gym.core.prompt import Example, Prompt


class HelpChangesTheWorld(LampsEnv):
    def help(self):
        self.on[0] = not self.on[0]
        return "switch"


class IgnoresHelp(LampsEnv):
    def understands(self, action):
        return action in self.admissible_actions()


class IgnoresLamps(LampsEnv):
    def understands(self, action):
        return super().understands(action) and "switch" not in action


class UnderstandsInWords(LampsEnv):
    def understands(self, action):
        return super().understands(action) or "no"


class UnderstandsByTrying(LampsEnv):
    def understands(self, action):
        valid = action in self.admissible_actions()
        self.key += "0" * valid
        return valid or super().understands(action)


class HasNoLastForm(LampsEnv):
    def _read(self, text):
        return text if text.startswith("switch") else None

    def _write(self, action):
        return f"{action} "


class FormIsNotUnderstood(LampsEnv):
    def _write(self, action):
        return "press"


class OneFormForAll(LampsEnv):
    def _write(self, action):
        return "switch 1"


class FormOfOtherText(LampsEnv):
    def canonical_action(self, action):
        return action.strip()


class SaysWhatIsWritten(LampsEnv):
    def said(self, action):
        return action


class NoInstructions(LampsEnv):
    def _reset(self, options):
        return super()._reset(options)._replace(observation="Lamps.")


class TellsSecrets(HasSecret):
    def _reset(self, options):
        start = super()._reset(options)
        return start._replace(observation=f"{start.observation} {self.secrets()[0]}")


class TellsSecretsInFeedback(HasSecret):
    explains_by_default = False

    def _refuse(self, text):
        return super()._refuse(text)._replace(feedback=self.secrets()[0])


class TellsSecretsInGoal(HasSecret):
    def _reset(self, options):
        return super()._reset(options)._replace(goal=f"Learn {self.secrets()[0]}")


class TellsSecretsInSubgoals(HasSecret):
    def subgoals(self):
        return {**super().subgoals(), self.secrets()[0]: all(self.on)}


class TellsWhatTheExpertSaid(HasSecret):
    """Only the expert knows the password, and it says it before it is told."""

    def expert_action(self):
        return self.secrets()[0] if not any(self.on) else super().expert_action()

    def _read(self, text):
        return "switch 1" if text in self.secrets() else super()._read(text)

    def _step(self, action):
        turn = super()._step(action)
        return turn._replace(observation=f"{turn.observation} {self.secrets()[0]}")


class TellsWhatWasSaidInParts(HasSecret):
    """The end of one action and the start of the next make no secret."""

    def secrets(self):
        return ("1switch",)

    def _step(self, action):
        turn = super()._step(action)
        told = self.secrets()[0] if self.on[0] else ""
        return turn._replace(observation=f"{turn.observation} {told}")


class Raises(LampsEnv):
    def _read(self, text):
        text.encode()
        return super()._read(text)


class InvalidChangesTheWorld(LampsEnv):
    def _refuse(self, text):
        self.on[0] = not self.on[0]
        return super()._refuse(text)


class GivesNoFeedback(LampsEnv):
    def _refuse(self, text):
        return super()._refuse(text)._replace(feedback="")


class DrawsOnNonsense(LampsEnv):
    def _refuse(self, text):
        self.np_random.random()
        return super()._refuse(text)


class RendersTheGoal(LampsEnv):
    def render(self):
        return self.render_mode and "Switch on every lamp."


class RendersAlways(LampsEnv):
    def render(self):
        return self._observation


class TellsNoPrompt(LampsEnv):
    def task_prompt(self):
        return "Try hard."


class ExampleGivesUp(LampsEnv):
    room = 811

    def task_prompt(self):
        words = f"Room {self.room}. Switch lamps: switch 1"
        return Prompt("Try.", Example({}, 3, "Switch on every lamp.", words, ()))


class ExampleIsStale(ExampleGivesUp):
    room = 0
