const before = 40;
const length = 160;

/** Some text around the first of the words that it contains, or its beginning. It begins and ends with whole words. */
export function excerptOf(text: string, words: string): string {
  const lower = text.toLowerCase();
  const places = words
    .toLowerCase()
    .split(/\s+/)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const match = places.length === 0 ? 0 : Math.min(...places);
  const start = match <= before ? 0 : text.indexOf(' ', match - before - 1) + 1;
  const end = text.length <= start + length ? text.length : text.lastIndexOf(' ', start + length);
  const excerpt = text.slice(start, end > start ? end : start + length);
  return `${start > 0 ? '… ' : ''}${excerpt}${end < text.length ? ' …' : ''}`;
}
