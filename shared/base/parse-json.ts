/** Reads untrusted JSON; undefined if it is not JSON. No schema of ours accepts undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
