/** In single quotes nothing means anything to a shell but the quote itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word of a command line, in quotes only if it needs them. */
export const shellWord = (word: string): string => (/^[\w./:=-]+$/.test(word) ? word : quoted(word));
