import { parseAllDocuments } from 'yaml';
import { isCommandLine, textWords } from './text-words.ts';

/** A word of a command line. */
export interface Word {
  readonly text: string;
  /** Whether the next word is of the same command line, and was written on the same line. */
  readonly isFollowed: boolean;
}

/**
 * The words of the command lines in a file: a manifest of a pod, a configuration of kubeadm, a unit of systemd, or flags one a line. A list of YAML has a word in each
 * item, with its spaces; other text has the quotes of a shell. Pure.
 */
export function flagWords(written: string): readonly Word[] {
  const documents = parseAllDocuments(written, { prettyErrors: false, logLevel: 'silent' });
  const values = 'empty' in documents ? [] : documents.map((document) => valueOf(document));
  const isStructured = values.some((value) => typeof value === 'object' && value !== null);
  return isStructured && !values.some(isNoYaml) ? values.flatMap(wordsIn) : textWords(written);
}

/** Undefined: it is no YAML. */
function valueOf(document: { readonly errors: readonly unknown[]; toJS(): unknown }): unknown {
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS();
  } catch {
    // Too many aliases: what is no YAML for the library is read as text.
    return undefined;
  }
}

/** A flag that is a key: a colon in other text, which YAML takes for its own. */
const isNoYaml = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, one]) => /(?:^|\s)--/.test(key) || isNoYaml(one)));

function wordsIn(value: unknown): readonly Word[] {
  if (typeof value === 'string') return textWords(value);
  if (Array.isArray(value)) return value.flatMap(itemWords);
  if (typeof value !== 'object' || value === null) return [];
  // An annotation keeps an earlier manifest as a text.
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    if (key === 'metadata') return [];
    return key === 'extraArgs' ? extraArguments(one) : wordsIn(one);
  });
}

/** A word of a list, or a whole command line for a shell. */
const itemWords = (item: unknown): readonly Word[] => {
  if (typeof item !== 'string') return wordsIn(item);
  return isCommandLine(item) ? textWords(item) : [{ text: item, isFollowed: false }];
};

/** Of kubeadm: a map until v1beta3, a list of names and values from v1beta4 on. */
function extraArguments(value: unknown): readonly Word[] {
  const entries = Array.isArray(value)
    ? value.map((one: { readonly name?: unknown; readonly value?: unknown } | null) => [
        one?.name,
        one?.value,
      ])
    : Object.entries(value ?? {});
  return entries.map(([name, one]) => ({ text: `--${String(name)}=${String(one)}`, isFollowed: false }));
}
