/** The message of Go's encoding/json for text that is not JSON, as far as V8's `error` shows where it ends to be JSON. */
export function goSyntaxError(error: unknown, text: string): string {
  const words = error instanceof Error ? error.message : String(error);
  const position = Number(/at position (\d+)/.exec(words)?.[1] ?? text.length);
  const letter = Array.from(text.slice(position))[0];
  if (letter === undefined) return 'unexpected end of JSON input';
  return `invalid character '${letter}' looking for beginning of value`;
}
