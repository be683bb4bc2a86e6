import shlex

from msgspec import structs

from misstep.reporting.commands import command


def test_a_run_and_a_single_trial_can_be_run_again(manifest):
    assert command(manifest) == "misstep run --agent zoo:sound --tools world:shop --trials 2 --seed 3"
    assert command(manifest, "a", 2) == "misstep run --agent zoo:sound --tools world:shop --only a --trial 2 --seed 3"


def test_an_unusual_timeout_is_part_of_the_command(manifest):
    assert command(structs.replace(manifest, timeout_s=2.5)).endswith("--seed 3 --timeout 2.5")


def test_who_was_asked_to_play_the_users_is_part_of_the_command(manifest):
    assert command(structs.replace(manifest, user="plain")).endswith("--seed 3 --user plain")
    assert "--user" not in command(structs.replace(manifest, user_model="http://here/v1#tiny"))


def test_a_hostile_name_stays_one_word_of_the_shell(manifest):
    hostile = structs.replace(manifest, agent="cmd:python x.py; rm -rf ~", scenarios_at="my scenarios")
    words = shlex.split(command(hostile, "$(reboot)", 1))
    assert words[3] == "cmd:python x.py; rm -rf ~"
    assert words[words.index("--scenarios") + 1] == "my scenarios"
    assert words[words.index("--only") + 1] == "$(reboot)"
