// Unpacks the rows of the study and shows queries under two trials. Everything that came from a
// repository or a query is hostile text: it becomes text nodes, never markup.
(() => {
  const list = document.getElementById("query-list");
  if (!list) return;
  const byId = (id) => document.getElementById(id);
  const make = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const PAGE = 50;
  const KINDS = [
    ["all", "all queries"], ["flips", "all that differ"], ["win", "wins of B"], ["loss", "losses of B"],
    ["regression", "regressions of B"], ["draw", "draws"], ["missed-a", "missed by A"],
    ["missed-b", "missed by B"], ["negative", "negative queries"],
  ];
  const PLURALS = { win: "wins", loss: "losses", regression: "regressions", draw: "draws" };

  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const classOf = (a, b) => {
    if (a === b) return "draw";
    if (!a) return "win";
    if (!b) return "regression";
    return b < a ? "win" : "loss";
  };

  const start = (data) => {
    const queries = data.queries.map(([id, repository, text, category, difficulty, negative, expected, targets]) =>
      ({ id, repository, text, category, difficulty, negative, expected, targets }));
    const offsets = new Map();
    for (const [trial, hits] of Object.entries(data.hits)) {
      let at = 0;
      offsets.set(Number(trial), hits.counts.map((count) => [at, at += count]));
    }
    let shown = PAGE;

    const fill = (id, options, chosen) => {
      for (const [value, name] of options) {
        const option = make("option", name);
        option.value = value;
        byId(id).append(option);
      }
      byId(id).value = chosen;
    };
    const distinct = (field) => [...new Set(queries.map((query) => query[field]).filter(Boolean))];
    const trials = data.trials.map((name, place) => [String(place), `${place + 1} ${name}`]);
    fill("trial-a", trials, String(data.first));
    fill("trial-b", trials, String(data.second));
    fill("kind", KINDS, "all");
    for (const field of ["repository", "category", "difficulty"]) {
      const values = distinct(field);
      fill(field, [["", "all"], ...values.map((value) => [value, value])], "");
      byId(field).parentElement.hidden = values.length < 2;
    }

    const score = (trial, place) => {
      const value = data.scores[trial][0][place];
      return value === null ? null : value / 10000;
    };
    const rankText = (query, rank) => query.negative ? "nothing is right" : rank ? `right at ${rank}` : "missed";
    const outcome = (query, place, a, b) =>
      query.negative || score(a, place) === null ? "" : classOf(data.ranks[a][place], data.ranks[b][place]);

    const wanted = (a, b) => {
      const kind = byId("kind").value;
      const words = byId("words").value.toLowerCase().split(/\s+/).filter(Boolean);
      const isOf = (query, place) => {
        const found = outcome(query, place, a, b);
        if (kind === "all") return true;
        if (kind === "negative") return Boolean(query.negative);
        if (!found) return false;
        if (kind === "flips") return found !== "draw";
        if (kind === "missed-a") return !data.ranks[a][place];
        if (kind === "missed-b") return !data.ranks[b][place];
        return found === kind;
      };
      return queries.map((_, place) => place).filter((place) => {
        const query = queries[place];
        const text = `${query.id} ${query.text}`.toLowerCase();
        return ["repository", "category", "difficulty"].every((field) => !byId(field).value || query[field] === byId(field).value)
          && isOf(query, place) && words.every((word) => text.includes(word));
      });
    };

    const place_ = (path, start, end) => start ? `${data.paths[path]}:${start}-${end}` : data.paths[path];
    const expectedOf = (query) => {
      const part = make("div", null, "expected");
      part.append(make("h4", query.negative ? "Nothing is right for this query" : "Expected"));
      const items = make("ul");
      for (const name of query.expected) items.append(make("li", name));
      const spots = [];
      for (let at = 0; at < query.targets.length; at += 3) spots.push(place_(...query.targets.slice(at, at + 3)));
      if (spots.length) items.append(make("li", `judged at: ${spots.join(", ")}`));
      part.append(items);
      return part;
    };
    const MARKS = { 0: ["", "nothing"], 1: ["✓ right", "right"], 2: ["↻ again", "again"] };
    const rankingOf = (trial, place, letter) => {
      const part = make("div", null, "ranking");
      part.append(make("h4", `${letter}: ${data.trials[trial]}`));
      const numbers = data.measures.map((name, n) => [name, data.scores[trial][n][place]])
        .filter(([, value]) => value !== null).map(([name, value]) => `${name} ${(value / 10000).toFixed(4)}`);
      part.append(make("p", numbers.join(" · "), "facts"));
      if (!offsets.has(trial)) {
        part.append(make("p", "This trial's rankings had no room here: rankings.parquet has them.", "empty"));
        return part;
      }
      const hits = data.hits[trial], [from, to] = offsets.get(trial)[place];
      if (from === to) part.append(make("p", "No hits.", "empty"));
      const items = make("ol");
      for (let at = from; at < to; at += 1) {
        const [mark, kind] = MARKS[hits.credit[at]] || ["", "unknown"];
        const item = make("li", null, kind);
        item.append(make("span", place_(hits.path[at], hits.start[at], hits.start[at] + hits.lines[at]), "place"));
        if (mark) item.append(" ", make("b", mark));
        if (hits.score[at] !== null) item.append(" ", make("small", String(hits.score[at])));
        items.append(item);
      }
      part.append(items);
      return part;
    };

    const rowOf = (place, a, b) => {
      const query = queries[place], found = outcome(query, place, a, b);
      const row = make("details");
      const head = make("summary");
      const text = make("span", query.text, "question");
      const facts = [query.repository, query.id, query.category, query.difficulty].filter(Boolean).join(" · ");
      text.append(make("small", facts));
      head.append(text);
      for (const [letter, trial] of [["A", a], ["B", b]]) {
        const value = score(trial, place);
        const said = `${letter} ${rankText(query, data.ranks[trial][place])}`;
        head.append(make("span", value === null ? said : `${said}, ${value.toFixed(2)}`, "rank"));
      }
      head.append(make("span", found, `outcome ${found}`));
      row.append(head);
      row.addEventListener("toggle", () => {
        if (!row.open || row.childElementCount > 1) return;
        const panel = make("div", null, "panel");
        panel.append(expectedOf(query), rankingOf(a, place, "A"));
        if (a !== b) panel.append(rankingOf(b, place, "B"));
        row.append(panel);
      });
      return row;
    };

    const tally = (a, b) => {
      const counts = { win: 0, loss: 0, regression: 0, draw: 0 };
      queries.forEach((query, place) => { counts[outcome(query, place, a, b)] += 1; });
      return Object.entries(PLURALS).map(([kind, plural]) => `${counts[kind]} ${counts[kind] === 1 ? kind : plural}`).join(", ");
    };
    const draw = () => {
      const a = Number(byId("trial-a").value), b = Number(byId("trial-b").value);
      const places = wanted(a, b);
      list.replaceChildren(...places.slice(0, shown).map((place) => rowOf(place, a, b)));
      byId("more").hidden = places.length <= shown;
      const compared = a === b ? "A and B are the same trial." : `B against A: ${tally(a, b)}.`;
      byId("flips").textContent = `${compared} Shown: ${Math.min(shown, places.length)} of ${places.length} queries. In each row: rank of the first right hit, ${data.quality}.`;
    };
    byId("query-controls").addEventListener("input", () => { shown = PAGE; draw(); });
    byId("more").addEventListener("click", () => { shown += PAGE; draw(); });
    addEventListener("beforeprint", () => { shown = queries.length; draw(); });
    draw();
    document.documentElement.dataset.ready = "yes";
  };

  unpack(byId("rows").textContent).then(start).catch((error) => {
    byId("query-trouble").textContent = `The queries cannot be shown (${error.message}): queries.parquet has them.`;
  });
})();
