/** What tags and annotations say is written by others: without the characters that would move a terminal's cursor. */
export const plainText = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');
