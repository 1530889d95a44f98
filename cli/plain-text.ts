/**
 * ECMA-48: control sequences, control strings (titles, links) and other escapes, each in its form of 7 and of 8 bits.
 * A control string ends where the next begins, so that many beginnings are read once.
 */
const sequences = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'gu',
);

/** Controls that are left, and marks that change the direction of writing. */
const controls = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text that is safe for a terminal: it cannot move the cursor, set a colour or a title, or hide a link. Lines
 * and tabs stay.
 */
export const withoutControls = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(sequences, '').replaceAll(controls, '?');

/** The same in one line, so that a name or a message of a server cannot look like a line of ours. */
export const oneLine = (text: string): string =>
  withoutControls(text).replaceAll(/(?<!\s)\s*[\n\t]\s*/g, ' ');
