import { allowances } from './allowances.ts';
import { patterns } from './patterns.ts';
import { proseOf } from './prose.ts';

/** A refused wording in a file. */
export interface Hit {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  /** The words found, with some of the text around them. */
  readonly text: string;
  readonly instead: string;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const spansOf = (pattern: RegExp, text: string): readonly Span[] =>
  [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));

const spansOfText = (wanted: string, text: string): readonly Span[] => {
  const from = text.indexOf(wanted);
  return from < 0 ? [] : [{ from, to: from + wanted.length }];
};

const overlaps = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

/** All refused wordings in a file with this content, in the order of the file. */
export function hitsIn(file: string, content: string): readonly Hit[] {
  const texts = allowances.filter((allowance) => allowance.file === file);
  return proseOf(file, content)
    .flatMap(({ text, start }) =>
      patterns.flatMap(({ name, finds, allows, instead }) => {
        const found = spansOf(finds, text);
        if (found.length === 0) return [];
        const allowed = [
          ...(allows ? spansOf(allows, text) : []),
          ...texts.flatMap((allowance) => spansOfText(allowance.text, text)),
        ];
        return found
          .filter((span) => !allowed.some((other) => overlaps(span, other)))
          .map(({ from, to }) => ({
            // A match may begin with the end of the sentence before.
            offset: start + from + (/^\W*/.exec(text.slice(from, to))?.[0].length ?? 0),
            pattern: name,
            text: text
              .slice(Math.max(0, from - 40), to + 50)
              .replaceAll(/\s+/g, ' ')
              .trim(),
            instead,
          }));
      }),
    )
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, ...hit }) => ({ file, line: content.slice(0, offset).split('\n').length, ...hit }));
}
