/**
 * One line of plain text. It has no characters that an input transformer or a chat reads as markup, no @, which mentions people
 * in Mattermost and Rocket.Chat, and no address that a chat or a mail program makes a link of. The names and error messages in it may come from
 * anyone.
 */
export function plainLine(text: string, longest: number): string {
  const line = markup.reduce(
    (current, [found, written]) => current.replaceAll(found, written),
    text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '),
  );
  return cut(withoutLinks(line), longest);
}

/**
 * Chats and mail programs make links of schemes and of domain names without one. Names whose last label no public domain has stay as they are:
 * the names of EC2 end in `.internal`.
 */
const withoutLinks = (line: string): string =>
  line
    .replaceAll('://', ':(//)')
    .replaceAll(/\b(mailto|tel|sms|javascript|data|slack|msteams):/gi, '$1(:)')
    .replaceAll(/[\p{L}\p{N}_.-]+/gu, (word) =>
      isDomain.test(word) && !neverPublic.test(word) ? word.replaceAll('.', '(.)') : word,
    );

const isDomain = /[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]*\p{L}\.*$/u;
const neverPublic =
  /\.(?:internal|local|cluster|svc)\.?$|^(?:[a-z0-9-]+\.)?(?:drover\.dev|kubernetes\.io|k8s\.io)$/i;

/** At most so many characters, with an ellipsis at the end of a text that was cut. */
export const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(halfCharacter, '')}…`;

const markup = [
  ['"', "'"],
  ['`', "'"],
  ['\\', '/'],
  ['<', '('],
  ['>', ')'],
  ['[', '('],
  [']', ')'],
  ['&', '+'],
  ['@', '(at)'],
] as const;

/** The first half of a surrogate pair that was cut: no receiver could read the JSON with it. */
const halfCharacter = /[\uD800-\uDBFF]$/;
