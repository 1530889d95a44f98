/** Reads JSON of unknown origin; undefined for what is not JSON, which no schema of ours accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
