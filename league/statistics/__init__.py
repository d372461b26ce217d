"""Statistics of a season with their uncertainty: shares of declaring, joining and success, by situation."""
