import stringWidth from 'string-width';

const ellipsis = '…';

/** The columns that a text takes on a terminal: characters of East Asia and emoji take two. */
export const widthOf = (text: string): number => stringWidth(text);

/** The text in at most this width, with an ellipsis for what is missing. */
export function shorten(text: string, width: number, cutAt: 'middle' | 'end'): string {
  if (widthOf(text) <= width) return text;
  const pieces = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const left = Math.max(0, width - 1);
  const atEnd = cutAt === 'end' ? 0 : Math.floor(left / 2);
  const tail = taken(pieces.toReversed(), atEnd).toReversed();
  const begin = taken(pieces, left - widthOf(tail.join('')));
  return `${begin.join('').trimEnd()}${ellipsis}${tail.join('').trimStart()}`;
}

/** The first pieces that fit. */
function taken(pieces: readonly string[], width: number): readonly string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const piece of pieces) {
    used += widthOf(piece);
    if (used > width) break;
    fitting.push(piece);
  }
  return fitting;
}
