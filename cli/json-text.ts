/** Controls that JSON.stringify leaves as they are. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Whether a text has controls that would stay as they are. */
export const hasControls = (text: string): boolean => text.search(unescaped) >= 0;

/** JSON and YAML with control characters escaped. */
export const escaped = (text: string): string =>
  text.replaceAll(unescaped, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Data as JSON on several lines. It keeps what a server said, with every control escaped. */
export const jsonText = (data: unknown): string => `${escaped(JSON.stringify(data, null, 2))}\n`;

/** Data as JSON on one line. */
export const jsonLine = (data: unknown): string => `${escaped(JSON.stringify(data))}\n`;
