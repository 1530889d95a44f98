/** Strings and the characters that JSON is made of. Numbers and words are skipped. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** The first key that an object of a valid JSON text has twice. `JSON.parse` keeps the last one and says nothing. */
export function doubledJsonKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const keys = open.at(-1);
      const key = String(JSON.parse(last));
      if (keys?.has(key)) return key;
      keys?.add(key);
    } else last = token;
  }
  return undefined;
}
