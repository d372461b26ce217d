"""What the API answers about the nights, field by field. Amounts are whole Rappen in fields that end in `_minor`; they
are null where the asker may not see them."""

from .hands import (
    DisputeDone,
    DisputeList,
    Hand,
    HandSteps,
    HandStored,
    HandVoided,
    HandWithRevisions,
    LinesLooked,
    LinesStored,
    OpenDisputes,
    ReplayResult,
)
from .mending import CorrectionDone, CorrectionList, CorrectionPlan, Difference, HandEvents
from .money import (
    ClosePlan,
    ClosingLine,
    DebtList,
    DebtsMarked,
    LastHandSaid,
    PaymentsMarked,
    ReceiptLinks,
    ReceiptOf,
    Settlement,
)
from .nights import ActDone, ActPlan, EveningFull, EveningLine, PencilState, Story, TableState
from .rules import RulesFull, RulesStored, RulesTold, SeasonReplay

__all__ = [
    "ActDone",
    "ActPlan",
    "ClosePlan",
    "ClosingLine",
    "CorrectionDone",
    "CorrectionList",
    "CorrectionPlan",
    "DebtList",
    "DebtsMarked",
    "Difference",
    "DisputeDone",
    "DisputeList",
    "EveningFull",
    "EveningLine",
    "Hand",
    "HandEvents",
    "HandSteps",
    "HandStored",
    "HandVoided",
    "HandWithRevisions",
    "LastHandSaid",
    "LinesLooked",
    "LinesStored",
    "OpenDisputes",
    "PaymentsMarked",
    "PencilState",
    "ReceiptLinks",
    "ReceiptOf",
    "ReplayResult",
    "RulesFull",
    "RulesStored",
    "RulesTold",
    "SeasonReplay",
    "Settlement",
    "Story",
    "TableState",
]
