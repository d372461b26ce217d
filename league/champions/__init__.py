"""The end of a season: who won it, what was played, the seasons of a club and their champions, what closing means."""
