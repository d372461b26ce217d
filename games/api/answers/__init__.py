"""The answers of the games' API. Amounts are whole Rappen, in fields that end in `_minor`; an amount is null if the
client may not see it."""

from .closing import (
    CashOuts,
    ClosingLine,
    ClosingPreview,
    DebtList,
    DebtsMarked,
    LastHandState,
    ParticipantReceipt,
    PaymentsMarked,
    ReceiptLinks,
    Settlement,
)
from .corrections import CorrectionPreview, DifferenceReport, HandEvent, StoredCorrection
from .disputes import DisputeLine, StoredDispute, UnsettledDispute
from .evenings import (
    HappeningLine,
    SeatingChangePreview,
    StoredSeatingChange,
    TableState,
)
from .hands import (
    Hand,
    HandRecordResult,
    HandSteps,
    HandWithCash,
    HandWithRevisions,
    StoredLines,
    TypedLinesPreview,
    VoidedHand,
)
from .pencil import PencilState
from .rules import RulesDetail, RulesPreview, SeasonReplay, StoredRules

__all__ = [
    "CashOuts",
    "ClosingLine",
    "ClosingPreview",
    "CorrectionPreview",
    "DebtList",
    "DebtsMarked",
    "DifferenceReport",
    "DisputeLine",
    "Hand",
    "HandEvent",
    "HandRecordResult",
    "HandSteps",
    "HandWithCash",
    "HandWithRevisions",
    "HappeningLine",
    "LastHandState",
    "ParticipantReceipt",
    "PaymentsMarked",
    "PencilState",
    "ReceiptLinks",
    "RulesDetail",
    "RulesPreview",
    "SeasonReplay",
    "SeatingChangePreview",
    "Settlement",
    "StoredCorrection",
    "StoredDispute",
    "StoredLines",
    "StoredRules",
    "StoredSeatingChange",
    "TableState",
    "TypedLinesPreview",
    "UnsettledDispute",
    "VoidedHand",
]
