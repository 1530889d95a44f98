/** What Go's encoding/json says of text that is no JSON, as far as V8 tells where it ends to be: `error` is V8's. */
export function goSyntaxError(error: unknown, text: string): string {
  const words = error instanceof Error ? error.message : String(error);
  const position = Number(/at position (\d+)/.exec(words)?.[1] ?? text.length);
  const letter = Array.from(text.slice(position))[0];
  if (letter === undefined) return 'unexpected end of JSON input';
  return `invalid character '${letter}' looking for beginning of value`;
}
