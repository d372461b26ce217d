"""An evening: beginning one, its page, its files, the house rules that it keeps."""
