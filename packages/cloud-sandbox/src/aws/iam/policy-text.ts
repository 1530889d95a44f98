import { contextValue, type PolicyContext } from './context.ts';
import { glob } from './glob.ts';

/**
 * What the variables of a policy (`${aws:PrincipalAccount}`) stand for; undefined for a policy of the version 2008-10-17,
 * in which they are text.
 */
export type Variables = PolicyContext | undefined;

/** A text of a policy that has no wildcards; undefined when a variable has no value. */
export const plainText = (written: string, variables: Variables): string | undefined =>
  written.includes('${') && variables !== undefined
    ? read(written, variables)
        ?.map(({ text }) => text)
        .join('')
    : written;

/** Whether a value fits a text of a policy with `*` and `?`; none fits where a variable has no value. */
export function fits(written: string, actual: string, variables: Variables): boolean {
  if (!written.includes('${') || variables === undefined) return glob(written, actual);
  const pieces = read(written, variables);
  if (pieces === undefined) return false;
  const source = pieces.map(({ text, isWildcard }) => (isWildcard ? wildcards[text] : quote(text))).join('');
  return new RegExp(`^${source}$`, 's').test(actual);
}

interface Piece {
  readonly text: string;
  readonly isWildcard: boolean;
}

const wildcards: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The value of a variable is text: an asterisk in the value of a tag is not a wildcard. */
function read(written: string, variables: PolicyContext): readonly Piece[] | undefined {
  const tokens = written.match(/\$\{[^}]*\}|[*?]|\$|[^$*?]+/g) ?? [];
  const pieces = tokens.flatMap((token): readonly Piece[] => {
    if (token in wildcards) return [{ text: token, isWildcard: true }];
    const text = token.startsWith('${') ? valueOf(token.slice(2, -1), variables) : token;
    return text === undefined ? [] : [{ text, isWildcard: false }];
  });
  return pieces.length === tokens.length ? pieces : undefined;
}

/**
 * `*`, `?` and `$` for these characters themselves; `KEY` or `KEY, 'DEFAULT'` for a key of the request that has a single value
 * (IAM user guide, "Policy elements: Variables and tags").
 */
function valueOf(variable: string, context: PolicyContext): string | undefined {
  if (['*', '?', '$'].includes(variable)) return variable;
  const [, name = '', fallback] = /^(.*?)(?:, '(.*)')?$/s.exec(variable) ?? [];
  const value = contextValue(context, name.trim());
  return typeof value === 'string' ? value : fallback;
}
