/** What of answers, lines and messages is the same wherever they are from: without times, ports, random names and stacks. */
export const comparable = (texts: readonly string[]): readonly unknown[] => texts.map(comparableText);

function comparableText(text: string): unknown {
  if (/^[{[]/.test(text)) return JSON.parse(text, comparableValue);
  // What the runtime writes by itself: fields between tabs, of which the last may be an object.
  return text
    .split('\t')
    .map((part) => (part.startsWith('{') ? comparableText(part) : comparableValue('', part)));
}

/** Fields that contain a duration or a time. */
const ofTime =
  /^(?:time|Timestamp|milliseconds|seconds|expiresAt|PassSeconds|PassAgeSeconds|DeadlineOverdueSeconds)$/;
const ofChance = /^(?:tokenId|stack)$/;

function comparableValue(key: string, value: unknown): unknown {
  if (ofTime.test(key) || ofChance.test(key)) return `(${key})`;
  if (typeof value !== 'string') return value;
  return value
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/("sentAt":")[^"]+/g, '$1TIME')
    .replaceAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/g, 'TIME')
    .replaceAll(/\btoken [a-z\d]{6}\b/g, 'token ID');
}
