// Shows queries under two trials. Everything that came from a repository or a query is hostile
// text: it becomes text nodes, never markup.

const PAGE = 50;
const LONG = 300; // letters of a query that its row shows
const KINDS = {
  all: ["all queries", () => true],
  flips: ["all that differ", ({ outcome }) => outcome && outcome !== "draw"],
  win: ["wins of B", ({ outcome }) => outcome === "win"],
  loss: ["losses of B", ({ outcome }) => outcome === "loss"],
  regression: ["regressions of B", ({ outcome }) => outcome === "regression"],
  draw: ["draws", ({ outcome }) => outcome === "draw"],
  missedA: ["missed by A", ({ outcome, before }) => outcome && !before],
  missedB: ["missed by B", ({ outcome, after }) => outcome && !after],
  failed: ["failed under A or B", ({ errors }) => errors],
  negative: ["negative queries", ({ query }) => Boolean(query.negative)],
};
const FIELDS = ["repository", "category", "difficulty"];
const MARKS = { relevant: "✓ right", duplicate: "↻ again" };

const byId = (id) => document.getElementById(id);
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const shortened = (text) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text);
const made = (name, kind, ...children) => {
  const found = document.createElement(name);
  if (kind) found.className = kind;
  found.append(...children);
  return found;
};

class QueryList {
  constructor(study) {
    this.study = study;
    this.shown = PAGE;
    this.opened = new Set();
    this.offer();
    byId("query-controls").addEventListener("input", () => { this.shown = PAGE; this.draw(); });
    byId("more").addEventListener("click", () => { this.shown += PAGE; this.draw(); });
    addEventListener("beforeprint", () => { this.shown = study.queries.length; this.draw(); });
    this.draw();
  }

  // Fills the controls with what the study has.
  offer() {
    const { rows, queries } = this.study;
    const trials = rows.trials.map((name, place) => [String(place), `${place + 1} ${name}`]);
    this.fill("trial-a", trials, String(rows.first));
    this.fill("trial-b", trials, String(rows.second));
    this.fill("kind", Object.entries(KINDS).map(([kind, [name]]) => [kind, name]), "all");
    for (const field of FIELDS) {
      const values = [...new Set(queries.map((query) => query[field]).filter(Boolean))];
      this.fill(field, [["", "all"], ...values.map((value) => [value, value])], "");
      byId(field).parentElement.hidden = values.length < 2;
    }
  }

  fill(id, options, chosen) {
    for (const [value, name] of options) byId(id).append(Object.assign(made("option", "", name), { value }));
    byId(id).value = chosen;
  }

  draw() {
    const a = Number(byId("trial-a").value), b = Number(byId("trial-b").value);
    const places = this.wanted(a, b);
    const first = places.slice(0, this.shown);
    byId("query-list").replaceChildren(...first.map((place) => this.row(place, a, b)));
    byId("more").hidden = places.length <= this.shown;
    const compared = a === b ? "A and B are the same trial." : `B against A: ${this.study.tally(a, b)}.`;
    const counted = `Shown: ${first.length} of ${places.length} queries.`;
    const explained = `In each row: rank of the first right hit, ${this.study.rows.quality}.`;
    byId("flips").textContent = `${compared} ${counted} ${explained}`;
  }

  // Returns the places of the queries that the controls ask for.
  wanted(a, b) {
    const [, isOfKind] = KINDS[byId("kind").value];
    const words = wordsOf(byId("words").value);
    return this.study.queries.flatMap((query, place) => {
      const text = `${query.id} ${query.text}`.toLowerCase();
      const outcome = this.study.outcome(place, a, b);
      const before = this.study.rank(a, place), after = this.study.rank(b, place);
      const errors = this.study.error(a, place) || this.study.error(b, place);
      const fits = FIELDS.every((field) => !byId(field).value || query[field] === byId(field).value)
        && words.every((word) => text.includes(word))
        && isOfKind({ query, outcome, before, after, errors });
      return fits ? [place] : [];
    });
  }

  row(place, a, b) {
    const query = this.study.queries[place], outcome = this.study.outcome(place, a, b);
    const facts = [query.repository, query.id, query.category, query.difficulty].filter(Boolean).join(" · ");
    const head = made("summary", "",
      made("span", "question", shortened(query.text), made("small", "", facts)),
      made("span", "rank", `A ${this.found(a, place)}`),
      made("span", "rank", `B ${this.found(b, place)}`),
      made("span", `outcome ${outcome}`, outcome));
    const row = made("details", "", head);
    row.addEventListener("toggle", () => {
      if (row.open) this.opened.add(place);
      else this.opened.delete(place);
      if (row.open && row.childElementCount === 1) row.append(this.panel(place, a, b));
    });
    row.open = this.opened.has(place);
    return row;
  }

  found(trial, place) {
    const quality = this.study.quality(trial, place), rank = this.study.rank(trial, place);
    if (this.study.error(trial, place)) return "failed";
    if (this.study.queries[place].negative) return "nothing to find";
    if (quality === null) return "not judged";
    return `${rank ? `right at ${rank}` : "missed"}, ${quality.toFixed(2)}`;
  }

  panel(place, a, b) {
    const rankings = [this.ranking(a, place, "A"), ...(a === b ? [] : [this.ranking(b, place, "B")])];
    return made("div", "panel", ...this.whole(place), this.expected(place), ...rankings, ...this.cuts(place, a, b));
  }

  // The whole text of a query that its row had no room for.
  whole(place) {
    const { text } = this.study.queries[place];
    return text.length > LONG ? [made("div", "expected", made("h4", "", "Query"), made("p", "text", text))] : [];
  }

  // The commands that show how both trials cut the expected files.
  cuts(place, a, b) {
    const commands = new Set([...this.study.commands(a, place), ...this.study.commands(b, place)]);
    if (!commands.size) return [];
    const items = [...commands].map((command) => made("li", "", made("code", "command", command)));
    return [made("div", "expected", made("h4", "", "See how the expected files are cut"), made("ul", "", ...items))];
  }

  expected(place) {
    const query = this.study.queries[place], targets = this.study.targets(place);
    const items = query.expected.map((name) => made("li", "", name));
    if (targets.some((place) => !query.expected.includes(place))) items.push(made("li", "", `judged at: ${targets.join(", ")}`));
    const title = query.negative ? "Nothing is right for this query" : "Expected";
    return made("div", "expected", made("h4", "", title), made("ul", "", ...items));
  }

  ranking(trial, place, letter) {
    const numbers = this.study.scores(trial, place).map(([name, value]) => `${name} ${value.toFixed(4)}`);
    const hits = this.study.hits(trial, place);
    const title = made("h4", "", `${letter}: ${this.study.rows.trials[trial]}`);
    const error = this.study.error(trial, place), answer = this.study.answer(trial, place);
    const said = [];
    if (numbers.length) said.push(made("p", "facts", numbers.join(" · ")));
    if (error) said.push(made("p", "failed", `Failed: ${error}`));
    if (answer) said.push(made("p", "facts", answer.refused ? "Answer: refused" : "Answer:"), made("p", "text", answer.text));
    return made("div", "ranking", title, ...said, this.list(hits));
  }

  list(hits) {
    if (hits === null) return made("p", "empty", "These rankings had no room here: rankings.parquet has them.");
    if (!hits.length) return made("p", "empty", "No hits.");
    return made("ol", "", ...hits.map(({ place, credit, score }) => {
      const item = made("li", credit, made("span", "place", place));
      if (MARKS[credit]) item.append(" ", made("b", "", MARKS[credit]));
      if (score !== null) item.append(" ", made("small", "", String(Number(score.toPrecision(6)))));
      return item;
    }));
  }
}

if (byId("query-list")) {
  Study.unpacked(byId("rows").textContent).then(
    (study) => {
      new QueryList(study);
      document.documentElement.dataset.milliseconds = String(Math.round(performance.now()));
      document.documentElement.dataset.ready = "yes";
    },
  ).catch((error) => {
    byId("query-trouble").textContent = `The queries cannot be shown (${error.message}): queries.parquet has them.`;
  });
}
