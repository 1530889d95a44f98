import { eventsErrors } from './errors.ts';
import type { TextTest } from './text-operators.ts';

/** Here only `*` is a wildcard; a backslash makes it, or a backslash, itself. Throws InvalidEventPatternException. */
export function wildcardTest(pattern: string): TextTest {
  const pieces = pattern.match(/\\[^]?|\*|[^*\\]+/g) ?? [];
  if (pieces.some((piece, index) => piece === '*' && pieces[index + 1] === '*'))
    throw eventsErrors.invalidPattern('Consecutive wildcard characters are not allowed');
  const expression = new RegExp(`^${pieces.map(sourceOf).join('')}$`, 's');
  return (candidate) => expression.test(candidate);
}

const sourceOf = (piece: string): string => (piece === '*' ? '.*' : quote(unescape(piece)));

function unescape(piece: string): string {
  if (!piece.startsWith('\\')) return piece;
  if (piece !== '\\*' && piece !== '\\\\') throw eventsErrors.invalidPattern('Invalid escape character');
  return piece.slice(1);
}

const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
