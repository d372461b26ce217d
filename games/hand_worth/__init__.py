"""What a hand is worth: the public page, and the hands of a hand that was entered card by card."""
