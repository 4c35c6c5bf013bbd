"""A study file that anybody may have written sets what is harmless, and more if it is trusted."""

from pathlib import Path

import pytest

from bench.errors import SettingError, UsageError
from bench.launcher.arguments import parse_arguments
from bench.launcher.study_files import needs_trust, with_study_file

CONF = Path(__file__).parents[3] / "conf"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that files have short names."""
    monkeypatch.chdir(tmp_path)


def planted(text: str) -> list[str]:
    """Write a study file and return what is typed to run it."""
    Path("grid.yaml").write_text(text, encoding="utf-8")
    return ["study=grid.yaml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "retriever: command\nretriever.command: [touch, x]",
            "retriever=command starts a program",
        ),
        ("retriever.command: [touch, x]", "starts a program"),
        ("retriever: mcp", "starts a program"),
        ("retriever: python", "runs Python code"),
        ("retriever.target: 'engine:Engine'", "runs Python code"),
        ("retriever: http", "contacts a server"),
        ("retriever.kind: command", "retriever.kind=command is not among"),
        ("retriever: hybrid\nretriever.channels: [bm25, command]", "starts a program"),
        ("retriever.command.command: [touch, x]", "starts a program"),
        ("embedder.trust_remote_code: true", "runs code that the model brings"),
        ("embedder: server", "contacts a server"),
        ("embedder.url: http://127.0.0.1:9", "is the address of a server"),
        ("embedder.model: /models/x", "chooses what is read"),
        ("embedder.revision: refs/pr/1", "chooses what is read"),
        ("reranker.url: http://127.0.0.1:9", "is the address of a server"),
        ("reranker: server", "contacts a server"),
        ("answerer: openai", "contacts a server"),
        ("answerer.template: /etc/passwd", "chooses what is read"),
        ("answerer.key_variable: SECRET", "reads the environment"),
        ("vectors: server", "contacts a server"),
        ("vectors.url: http://127.0.0.1:9", "is the address of a server"),
        ("tracking.uri: http://127.0.0.1:9", "is the address of a server"),
        ("execution: ray", "Ray cluster"),
        ("execution.address: auto", "is the address of a server"),
        ("output: /tmp/elsewhere", "chooses where files are written"),
        ("store: s3://bucket", "chooses where files are written"),
        ("retriever: graph\nretriever.equivalences: x", "chooses what is read"),
    ],
)
def test_what_is_not_harmless_is_refused_in_one_line(text: str, said: str) -> None:
    typed = planted(text)

    with pytest.raises(SettingError) as refused:
        with_study_file(typed, CONF)

    message = str(refused.value)
    assert message.startswith("study=grid.yaml: ")
    assert said in message
    assert message.endswith("Read the file, then add --trust grid.yaml to allow it.")
    assert "\n" not in message


@pytest.mark.parametrize(
    "text",
    [
        "retriever: bm25,command",
        "retriever: choice(bm25,command)",
        "retriever: shuffle(bm25,command)",
        "retriever: glob(*)",
        "retriever: str(command)",
        "retriever: [command]",
        "retriever: '[command]'",
        "retriever: {kind: command, command: [touch, x]}",
        "retriever: '{kind: command}'",
        "retriever: \"'command'\"",
        "retriever: 'comm\\and'",
        "retriever: ' command '",
        'retriever: "comm\\x61nd"',
        "retriever: >-\n  command",
        "retriever: bm25 +hydra.launcher=x",
        "retriever: |\n  bm25\n  +hydra/launcher=x",
        "chunk: 512,retriever=command",
        "chunk: range(1,1000000000000)",
        "chunk: interval(1,2)",
        "+retriever: command",
        "++retriever: command",
        "~retriever: bm25",
        "retriever@x: command",
        "'retriever=command,x': 1",
        "hydra.searchpath: [x]",
        "hydra/launcher: basic",
        "hydra.launcher._target_: os.system",
        "hydra: {launcher: {_target_: os.system}}",
        "--multirun: x",
        "-cd: x",
        "' retriever': command",
        '"chunk=1\\nretriever": command',
        "1: x",
        "x: &c command\nretriever: *c",
        "base: &b {retriever: command}\n<<: *b",
        "<<: {retriever: command}",
        "study: other.yaml",
        "retriever: bm25\nretriever: command",
        "!!python/object/apply:os.system [touch x]",
        "a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\nchunk: *c",
        "[" * 5000,
    ],
)
def test_no_form_smuggles_a_setting_in(text: str) -> None:
    typed = planted(text)

    with pytest.raises(UsageError) as refused:
        with_study_file(typed, CONF)

    assert "grid.yaml" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "repository: ${oc.env:SECRET}",
        "chunk: [1, '${oc.env:SECRET}']",
        "chunk: {a: {b: '${oc.env:SECRET}'}}",
        "${oc.env:SECRET}: 1",
        'repository: "$\\x7boc.env:SECRET}"',
        "repository: '$\\{oc.env:SECRET\\}'",
        "repository: 'choice(a,$\\{oc.env:SECRET\\})'",
        "repository: \"x'${oc.env:SECRET}'\"",
        "weights: 'grid(${oc.env:SECRET})'",
    ],
)
@pytest.mark.parametrize("trust", [[], ["grid.yaml"]], ids=["untrusted", "trusted"])
def test_an_interpolation_is_refused_even_in_a_trusted_file(text: str, trust: list[str]) -> None:
    typed = planted(text)
    trusted = {Path(name).resolve() for name in trust}

    with pytest.raises(SettingError, match=r"study=grid.yaml: .* (is an interp|cannot be read)"):
        with_study_file(typed, CONF, trusted)


def test_a_trusted_file_sets_what_it_names() -> None:
    typed = planted("retriever: command\nretriever.command: '[touch, x]'\noutput: there\n")

    found, _ = with_study_file(typed, CONF, {Path("grid.yaml").resolve()})

    assert found == ["retriever=command", "retriever.command=[touch, x]", "output=there"]


def test_trust_is_of_the_very_file() -> None:
    typed = planted("retriever: command\n")
    Path("other.yaml").write_text("chunk: 1\n", encoding="utf-8")
    Path("link.yaml").symlink_to("grid.yaml")

    with pytest.raises(SettingError, match=r"--trust grid\.yaml"):
        with_study_file(typed, CONF, {Path("other.yaml").resolve()})

    assert with_study_file(["study=link.yaml"], CONF, {Path("grid.yaml").resolve()})


def test_trust_does_not_reach_into_hydra() -> None:
    typed = planted("hydra.launcher._target_: os.system\n")

    with pytest.raises(SettingError, match="not the name of a setting"):
        with_study_file(typed, CONF, {Path("grid.yaml").resolve()})


def test_aliases_are_refused_before_they_are_copied() -> None:
    """Each line is nine times the one before: whole, the text would fill any memory."""
    lines = ["a0: &a0 [1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    typed = planted("\n".join([*lines, "chunk: *a29"]))

    with pytest.raises(SettingError, match="has YAML aliases"):
        with_study_file(typed, CONF, {Path("grid.yaml").resolve()})


def test_what_is_typed_beside_the_file_is_the_users_own() -> None:
    """The file's value does not count then."""
    typed = planted("retriever: command\nchunk: 64\n")

    assert with_study_file([*typed, "retriever=bm25"], CONF)[0] == ["retriever=bm25", "chunk=64"]


def test_a_slip_of_the_pen_is_told_as_such() -> None:
    with pytest.raises(SettingError, match="did you mean chunk"):
        with_study_file(planted("chnk: 64\n"), CONF)
    with pytest.raises(SettingError, match="no such retriever"):
        with_study_file(planted("retriever: bm52\n"), CONF)


def test_harmless_settings_need_no_trust() -> None:
    """As a study writes them: a grid, data, and texts with signs that need quotes."""
    text = (
        "suite: file\nsuite.path: my/suite.yaml\nrepository: \"'a shop, inc'\"\n"
        "queries: ../q.yaml\nretriever: bm25,hybrid\nretriever.channels: '[bm25,graph]'\n"
        "retriever.k1: 0.9,1.2\nweights: '[0.25, 0.75]'\nembedder: minilm\n"
        'embedder.query_prompt: "\'query: \'"\nreranker: "off"\ntracking: none\nlimit: null\n'
    )

    found, is_grid = with_study_file(planted(text), CONF)

    assert is_grid
    assert "repository='a shop, inc'" in found
    assert len(found) == text.count("\n")


def test_a_grid_of_weights_may_stand_in_a_file() -> None:
    found, _ = with_study_file(planted("weights: {steps: 20}\n"), CONF)

    assert found == ["weights={steps:20}"]


def test_a_chosen_configuration_knows_whether_it_needs_trust() -> None:
    assert not needs_trust({"retriever": "bm25", "chunk": 64, "weights": "{steps:4}"})
    assert needs_trust({"retriever": "http", "retriever.url": "http://127.0.0.1:9"})


def test_the_flag_takes_files_and_may_be_repeated(tmp_path: Path) -> None:
    planted("chunk: 1\n")
    Path("b.yaml").write_text("x", encoding="utf-8")

    typed = ["--trust", "grid.yaml", "chunk=1", "--trust=b.yaml"]
    found = parse_arguments(typed, "bench/run.py")

    assert set(found.trust) == {tmp_path / "grid.yaml", tmp_path / "b.yaml"}
    assert found.overrides == ["chunk=1"]


@pytest.mark.parametrize("place", ["gone.yaml", "."])
def test_only_a_file_can_be_trusted(place: str) -> None:
    with pytest.raises(UsageError, match=r"--trust .*: no such file"):
        parse_arguments(["--trust", place], "bench/run.py")
