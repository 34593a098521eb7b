"""Mare Nostrum (2003). The files follow the rulebook: setup, roles, commerce, construction,
strategy, battle, aftermath, victory, cards; `state` is the data, `moves` the words."""
