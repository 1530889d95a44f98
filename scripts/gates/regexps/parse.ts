/** A part of a regular expression, as far as a text that it matches needs it. */
export type Part =
  | { readonly kind: 'character'; readonly text: string }
  /** `.`, `\w`, `[a-z]`: `named` are characters that it names. */
  | { readonly kind: 'class'; readonly raw: string; readonly named: readonly string[] }
  | { readonly kind: 'group'; readonly alternatives: readonly (readonly Part[])[] }
  /** A lookahead or a lookbehind. It matches no text. */
  | { readonly kind: 'look'; readonly alternatives: readonly (readonly Part[])[] }
  /** `^`, `$`, `\b`, back references. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

const opening = /\((?:\?(?::|<?[=!]|<[A-Za-z_$][\w$]*>))?/y;
const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const escape =
  /\\(?:([dDwWsS]|[pP]\{[^}]*\})|([bB]|[1-9]\d*|k<[^>]*>)|u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|c([A-Za-z])|(.))/sy;
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', 0: '\0' };

/**
 * The alternatives of a regular expression that Node.js accepts. It does not validate. Sets of the flag `v` have another form, and are
 * refused.
 */
export function parseRegexp(source: string, flags: string): readonly (readonly Part[])[] {
  if (flags.includes('v')) throw new Error(`/${source}/${flags}: sets of the flag v cannot be parsed`);
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(source) ?? undefined;
    at += match?.[0].length ?? 0;
    return match;
  };

  function alternatives(): readonly (readonly Part[])[] {
    const found: Part[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        found.push([]);
      } else found.at(-1)?.push(repeated(atom()));
    }
    return found;
  }

  function repeated(part: Part): Part {
    const match = take(quantifier);
    if (!match) return part;
    const [, sign, count, comma, most] = match;
    const min = count === undefined ? Number(sign === '+') : Number(count);
    if (sign !== undefined) return { kind: 'repeat', part, min, max: sign === '?' ? 1 : Infinity };
    return { kind: 'repeat', part, min, max: comma ? Number(most || Infinity) : min };
  }

  function atom(): Part {
    const open = take(opening);
    if (open) {
      const inside = alternatives();
      at += 1;
      return { kind: /\?<?[=!]$/.test(open[0]) ? 'look' : 'group', alternatives: inside };
    }
    if (source[at] === '[') return classOf();
    if (source[at] === '\\') return escaped();
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += character.length;
    if (character === '.') return { kind: 'class', raw: character, named: [] };
    return '^$'.includes(character) ? { kind: 'nothing' } : { kind: 'character', text: character };
  }

  function escaped(): Part {
    const [raw, set, nothing, point, unit, byte, control, other = ''] = take(escape) ?? [''];
    if (set !== undefined) return { kind: 'class', raw, named: [] };
    if (nothing !== undefined) return { kind: 'nothing' };
    const hexadecimal = point ?? unit ?? byte;
    if (hexadecimal !== undefined)
      return { kind: 'character', text: String.fromCodePoint(Number.parseInt(hexadecimal, 16)) };
    if (control !== undefined)
      return { kind: 'character', text: String.fromCodePoint(control.charCodeAt(0) % 32) };
    return { kind: 'character', text: letters[other] ?? other };
  }

  function classOf(): Part {
    const begin = at;
    const named: string[] = [];
    at += 1;
    while (source[at] !== ']') {
      const part = source[at] === '\\' ? escaped() : undefined;
      if (part?.kind === 'character') named.push(part.text);
      if (part) continue;
      named.push(source[at] ?? '');
      at += 1;
    }
    at += 1;
    return { kind: 'class', raw: source.slice(begin, at), named };
  }

  return alternatives();
}
