/** A text as a literal of CEL (language definition, "String and Bytes Values"), whose escapes are those of JSON and one for its own quotes. */
export const celText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const celList = (texts: readonly string[]): string => `[${texts.map(celText).join(', ')}]`;

/** The values are expressions. */
export const celMap = (entries: readonly (readonly [key: string, value: string])[]): string =>
  `{${entries.map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`;
