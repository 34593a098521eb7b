"""The rule options of Mare Nostrum (rules.md section 29): their types.

Values, texts, sources, defaults and presets stand in `options.toml`; a test sees that both agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

YesNo = Literal["yes", "no"]
OnOff = Literal["on", "off"]


@dataclass(frozen=True, slots=True)
class Options:
    """One value for each option; see `options.toml` for what each of them decides."""

    start: Literal["fixed", "free"]
    memory: Literal["counted", "own_head"]
    own_demolition: Literal["never", "if_supply_empty_rebuild_at_once", "free"]
    pillage_new_fleet: YesNo
    occupy_mode: Literal["chosen_buildings", "every_building"]
    sole_condition: Literal["takeover", "occupy_and_takeover", "all_three"]
    multi_origin_attack: YesNo
    battle_timing: Literal["free", "after_each_destination", "at_once"]
    attack_without_moving: Literal["war_only", "yes"]
    fortress_attacks: YesNo
    war_pieces: Literal["units", "legions", "pieces"]
    build_block: Literal["war_or_takeover", "any_enemy_unit"]
    influence_block: Literal["none", "enemy_units"]
    capital_protection: Literal["takeover", "takeover_and_only_temple_market"]
    siege_stops_expansion: YesNo
    change_choice: Literal["no", "other_two", "any"]
    takeover_when: Literal["next", "any_later"]
    takeover_adjacency: YesNo
    takeover_free_with_hammurabi: YesNo
    role_tie: Literal["incumbent", "dice", "lot"]
    start_two_roles: Literal["forbidden", "allowed"]
    setup_order: Literal["simultaneous_secret", "nine_points_clockwise"]
    setup_roles: Literal["counted", "taken_while_building"]
    setup_same_turn: YesNo
    greek_setup: Literal["adjacent_only", "with_exceptions"]
    neutral_area: Literal["adjacent", "player_aid"]
    neutral_losses: Literal["legions_first", "attacker_chooses"]
    neutral_capital_takeover: YesNo
    pair_rule: Literal["this_moment", "whole_trade"]
    single_holder_end: Literal["literal", "only_if_he_must_take"]
    early_end_compensation: YesNo
    ulysses_timing: Literal["after_pick", "on_announcement"]
    ulysses_breaks_pair_rule: YesNo
    cleopatra_phase: Literal["construction", "commerce"]
    card_text: Literal["base", "mythology"]
    gardens_keep: Literal["1", "2"]
    greek_blockade: OnOff
    blockade_uses_up_fleet: YesNo
    multi_winner: Literal["first_by_call", "joint_if_leader_decides", "czech_list"]
    pyramids_precedence: Literal["none", "last_call"]
    all_roles_victory: OnOff
    hero_victory: Literal["4_and_12", "5_and_13"]
    victory_misprint: Literal["mixed", "same_kind_only"]
    new_fleet_must_leave: YesNo
    stock_out: Literal["nothing", "other_card"]
    trade_hand_contents: Literal["hidden", "open"]

    @property
    def cards_to_win(self) -> int:
        """How many heroes and wonders win (MN-22.2)."""
        return 4 if self.hero_victory == "4_and_12" else 5

    @property
    def pyramids_price(self) -> int:
        """The price of the Pyramids (MN-9.5)."""
        return 12 if self.hero_victory == "4_and_12" else 13
