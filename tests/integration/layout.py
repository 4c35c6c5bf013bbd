"""What a page of plots must not do, as a script that finds it."""

BADLY_PLACED = """(() => {
  const bad = [];
  for (const svg of document.querySelectorAll('.plot svg')) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    const boxOf = (text) => [text.textContent, text.getBoundingClientRect()];
    const boxes = [...svg.querySelectorAll('text')].map(boxOf);
    boxes.forEach(([text, box], place) => {
      const wide = box.left < frame.left - 1 || box.right > frame.right + 1;
      const high = box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
      if (wide || high) bad.push('cut: ' + text);
      for (const [other, its] of boxes.slice(place + 1)) {
        const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        if (across > 1 && down > 3) bad.push(text + ' covers ' + other);
      }
    });
  }
  return bad;
})()"""
"""What is cut off by its plot, and what covers something else in it."""
