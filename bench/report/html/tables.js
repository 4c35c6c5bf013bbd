// Sorts and filters tables, and changes between light and dark. Text of the study is only ever
// read here, never made into markup.
"use strict";

(() => {
  const root = document.documentElement;
  const keep = (theme) => {
    try { localStorage.setItem("rankgrid-theme", theme); } catch { /* storage may be forbidden */ }
  };
  const kept = () => {
    try { return localStorage.getItem("rankgrid-theme"); } catch { return null; }
  };
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  if (kept() === "dark" || kept() === "light") root.dataset.theme = kept();
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
  });

  // A link to a closed part opens it; what is printed is what is open.
  const parts = [...document.querySelectorAll(".part")];
  const openNamed = () => {
    const found = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const part = found && (found.querySelector(".part") ?? found.closest(".part"));
    if (part) part.open = true;
  };
  addEventListener("hashchange", openNamed);
  openNamed();
  const openAll = document.getElementById("open-all");
  openAll.addEventListener("click", () => {
    const isOpening = parts.some((part) => !part.open);
    for (const part of parts) part.open = isOpening;
    openAll.textContent = isOpening ? "Close all" : "Open all";
  });

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.order === undefined) return null;
    const number = Number(cell.dataset.order);
    return Number.isNaN(number) || cell.dataset.order === "" ? cell.dataset.order : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  const sortBy = (table, column, sign) => {
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => {
      const a = valueOf(one, column), b = valueOf(other, column);
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * compare(a, b);
    });
    table.tBodies[0].append(...rows);
  };
  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const heading = button.parentElement, table = heading.closest("table");
      const before = heading.getAttribute("aria-sort");
      const first = "text" in button.dataset ? "ascending" : "descending";
      const second = first === "ascending" ? "descending" : "ascending";
      const order = before === first ? second : first;
      for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", order);
      sortBy(table, heading.cellIndex, order === "ascending" ? 1 : -1);
    });
  }

  // A frame that has more to its right or below says so.
  const frames = [...document.querySelectorAll(".scrolled")];
  const mark = (frame) => {
    frame.classList.toggle("more", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2);
    frame.classList.toggle("below", frame.scrollTop + frame.clientHeight < frame.scrollHeight - 2);
  };
  const watch = new ResizeObserver((changes) => changes.forEach(({ target }) => mark(target)));
  for (const frame of frames) {
    frame.addEventListener("scroll", () => mark(frame), { passive: true });
    watch.observe(frame);
  }

  const filter = document.getElementById("filter");
  if (filter) {
    const rows = [...document.getElementById("all-trials").tBodies[0].rows];
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const name = row.cells[1].textContent.toLowerCase();
        row.hidden = !words.every((word) => name.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      document.getElementById("filtered").textContent = words.length ? `${shown} of ${rows.length} trials` : "";
    });
  }
})();
