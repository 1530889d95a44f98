import { type Part, parseRegexp } from './parse.ts';

/** A text that a hostile sender could make as long as it may be: `prefix`, `pump` again and again, `end`. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly end: string;
}

/** A repetition up to this often costs a factor, and no power of the length. */
export const mostBounded = 1000;

/** Texts in which the repeated part may fail to match what follows it. */
const ends = ['', '\u0000', '\n', '!', '\n/\n'];

/**
 * Characters that stand for a class: the first three that are in it. Words of one class and the next share characters if they can, which is what
 * makes a repetition ambiguous.
 */
const palette = `a- 1:/.\tA_\n,;=@<>{}$"'\\+*()[]\u0000\u001b\u0085\u00e9`.split('');
const variants = [0, 1, 2];

/**
 * Texts that repeat what an unlimited quantifier repeats: from its place in the pattern, from everywhere (a search begins again at each
 * character), and with what comes before it. That finds repeated words such as `-----BEGIN ` besides repeated characters.
 */
export function attacksOn(source: string, flags: string): readonly Attack[] {
  const unlimited = unlimitedIn(parseRegexp(source, flags));
  const attacks = new Map<string, Attack>();
  const add = (prefix: string, pump: string) => {
    if (pump === '') return;
    for (const end of ends) attacks.set(JSON.stringify([prefix, pump, end]), { prefix, pump, end });
  };
  for (const variant of variants) {
    const word = wordsOf(variant, flags);
    for (const { part, before } of unlimited) {
      const prefix = before.map(word).join('');
      const body = word(part);
      add(prefix, body);
      add('', body);
      add('', prefix + body);
      add('', prefix);
      add(prefix, body + prefix);
    }
  }
  return [...attacks.values()];
}

interface Unlimited {
  /** What is repeated. */
  readonly part: Part;
  /** What comes before it, in its alternatives. */
  readonly before: readonly Part[];
}

function unlimitedIn(
  alternatives: readonly (readonly Part[])[],
  before: readonly Part[] = [],
): readonly Unlimited[] {
  return alternatives.flatMap((parts) =>
    parts.flatMap((part, index) => unlimitedOf(part, [...before, ...parts.slice(0, index)])),
  );
}

function unlimitedOf(part: Part, before: readonly Part[]): readonly Unlimited[] {
  if (part.kind === 'repeat') {
    const inside = unlimitedOf(part.part, before);
    return part.max > mostBounded ? [{ part: part.part, before }, ...inside] : inside;
  }
  return 'alternatives' in part ? unlimitedIn(part.alternatives, before) : [];
}

/** A text that a part matches: of a class the `variant`th character, of a group the `variant`th alternative. */
function wordsOf(variant: number, flags: string): (part: Part) => string {
  const kept = new Map<string, string>();
  const characterOf = (raw: string, named: readonly string[]): string => {
    const known = kept.get(raw);
    if (known !== undefined) return known;
    const one = new RegExp(`^${raw}$`, flags.replaceAll(/[gmy]/g, ''));
    const fitting = [...palette, ...named].filter((character) => one.test(character));
    const character = fitting[Math.min(variant, fitting.length - 1)] ?? '';
    kept.set(raw, character);
    return character;
  };
  const wordOf = (part: Part): string => {
    switch (part.kind) {
      case 'character':
        return part.text;
      case 'class':
        return characterOf(part.raw, part.named);
      case 'group':
        return (part.alternatives[Math.min(variant, part.alternatives.length - 1)] ?? [])
          .map(wordOf)
          .join('');
      case 'repeat':
        return wordOf(part.part).repeat(Math.max(part.min, Math.min(1, part.max)));
      case 'look':
      case 'nothing':
        return '';
    }
  };
  return wordOf;
}
