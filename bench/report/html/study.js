// The rows of the study: what was asked, what every trial found, and what changed between two.

const OUTCOMES = { win: "wins", loss: "losses", regression: "regressions", draw: "draws" };
const SCALE = 10000;
const CREDITS = ["nothing", "relevant", "duplicate"];

// Quotes a hostile path for a shell: it is one argument, and never an option.
const quoted = (text) => {
  const safe = text.startsWith("-") ? `./${text}` : text;
  return /^[\w\/.@%+=:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
};

class Study {
  static async unpacked(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Study(await new Response(stream).json());
  }

  constructor(rows) {
    const fields = ["id", "repository", "text", "category", "difficulty", "negative", "expected", "targets"];
    this.rows = rows;
    this.queries = rows.queries.map((query) => Object.fromEntries(fields.map((field, n) => [field, query[n]])));
    this.bounds = new Map();
    for (const [trial, hits] of Object.entries(rows.hits)) {
      let at = 0;
      this.bounds.set(Number(trial), hits.counts.map((count) => [at, (at += count)]));
    }
  }

  // The rank of the first right hit, 0 for none.
  rank(trial, place) {
    return this.rows.ranks[trial][place];
  }

  // The scores of a query as pairs of a measure's name and its number; unknown ones are left out.
  scores(trial, place) {
    const found = this.rows.measures.map((name, n) => [name, this.rows.scores[trial][n][place]]);
    return found.filter(([, value]) => value !== null).map(([name, value]) => [name, value / SCALE]);
  }

  quality(trial, place) {
    const value = this.rows.scores[trial][0][place];
    return value === null ? null : value / SCALE;
  }

  // Why a query has no result or no answer under a trial; nothing if it has both.
  error(trial, place) {
    return this.rows.errors[trial][place] ?? "";
  }

  // The answer to a query and whether it is a refusal, or null where there is none in the file.
  answer(trial, place) {
    const found = this.rows.answers[trial]?.[place] ?? null;
    return found && { text: found[0], refused: Boolean(found[1]) };
  }

  // The commands that show how a trial cuts the files where the answers to a query are.
  commands(trial, place) {
    const { suite, cuts, paths } = this.rows, { targets, repository } = this.queries[place];
    if (!cuts[trial]) return [];
    const files = new Set(targets.filter((_, at) => at % 3 === 0).map((path) => paths[path]));
    const of = suite ? ` --suite ${suite} --repository ${quoted(repository)}` : "";
    return [...files].map((path) => `rankgrid show chunks ${quoted(path)}${of} ${cuts[trial]}`);
  }

  // What became of a query from trial a to trial b; nothing for queries that do not count.
  outcome(place, a, b) {
    if (this.queries[place].negative) return "";
    if (this.quality(a, place) === null || this.quality(b, place) === null) return "";
    const before = this.rank(a, place), after = this.rank(b, place);
    if (before === after) return "draw";
    if (!before) return "win";
    if (!after) return "regression";
    return after < before ? "win" : "loss";
  }

  tally(a, b) {
    const counts = Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0]));
    this.queries.forEach((_, place) => {
      const found = this.outcome(place, a, b);
      if (found) counts[found] += 1;
    });
    return Object.entries(counts).map(([name, count]) => `${count} ${count === 1 ? name : OUTCOMES[name]}`).join(", ");
  }

  // The hits of a query, or null where they had no room in the file.
  hits(trial, place) {
    if (!this.bounds.has(trial)) return null;
    const columns = this.rows.hits[trial], { path, start, lines } = this.rows.places;
    const [from, to] = this.bounds.get(trial)[place];
    return Array.from({ length: to - from }, (_, n) => from + n).map((at) => {
      const one = columns.place[at];
      return {
        place: this.place(path[one], start[one], start[one] + lines[one]),
        credit: CREDITS[columns.credit[at]] ?? "unknown",
        score: columns.score[at],
      };
    });
  }

  targets(place) {
    const flat = this.queries[place].targets;
    return flat.flatMap((_, at) => (at % 3 ? [] : [this.place(...flat.slice(at, at + 3))]));
  }

  // A path with its lines; whole files have none.
  place(path, start, end) {
    return start ? `${this.rows.paths[path]}:${start}-${end}` : this.rows.paths[path];
  }
}
