import type { Word } from './flag-words.ts';

/** Spaces, the end of a line, a comment, or a part of a word: quoted, escaped or plain. */
const tokens =
  /(?<space>(?:[^\S\n]|\\\r?\n)+)|(?<end>\n)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[^\n])|(?<plain>[\s\S])/g;

/**
 * The words of a text, as a shell and systemd part it: by spaces outside of quotes and after no backslash. A word of another command line within quotes, such as
 * `ARGS="--a=b --c=d"`, is parted again. Pure.
 */
export function textWords(text: string): readonly Word[] {
  const lines: string[][] = [[]];
  let word: string | undefined;
  const close = (): void => {
    if (word !== undefined) lines.at(-1)?.push(word);
    word = undefined;
  };
  for (const { groups = {} } of withoutComments(text).matchAll(tokens)) {
    const { space, end, single, double, escaped, plain } = groups;
    if (space === undefined && end === undefined)
      word = `${word ?? ''}${single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? ''}`;
    else close();
    if (end !== undefined) lines.push([]);
  }
  close();
  return lines.flatMap((words) =>
    words.flatMap((one, index) =>
      isCommandLine(one)
        ? textWords(one.replace(/^\w+=/, ''))
        : [{ text: one, isFollowed: index + 1 < words.length }],
    ),
  );
}

/** Whether a word has flags in it: the argument of a shell, or the value of a variable. */
export const isCommandLine = (word: string): boolean => /^\w+=--|^[^-][\s\S]*\s--\w/.test(word);

/** A flag that was commented out counts no more: its issuer may have been. */
const withoutComments = (text: string): string => text.replaceAll(/(?:^|\s)#.*$/gm, '');
