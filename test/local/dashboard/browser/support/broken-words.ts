/** In a browser: the words that are shown on more than one line, although nothing in them is a place to break. */
export const brokenWords = `(() => {
  const walker = document.createTreeWalker(document.querySelector('.app'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.parentElement.closest('.visually-hidden, dialog, option')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-\\u2010/]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4)));
      if (tops.size > 1) found.push(word);
    }
  }
  return found;
})()`;

/** In a browser: how many times as wide as its neighbour the widest column is, and the names of both. */
export const widestColumns = `[...document.querySelectorAll('.columns, .events li')].map((row) => {
  const widths = [...row.children].map((column) => column.getBoundingClientRect().width);
  return Math.max(...widths) / Math.min(...widths);
})`;
