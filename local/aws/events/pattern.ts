import { eventsErrors } from './errors.ts';
import { isRecord, type Json, type JsonRecord, parseJson } from './json.ts';
import { type Matcher, parseMatcher } from './matchers.ts';

/** Does an event (or a part of one) match? */
export type EventTest = (event: Json | undefined) => boolean;

/**
 * An event pattern, ready to be asked. Throws InvalidEventPatternException.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function compilePattern(text: string): EventTest {
  const pattern = parseJson(text);
  if (!isRecord(pattern)) throw eventsErrors.invalidPattern('Filter is not an object');
  return objectTest(pattern);
}

function objectTest(pattern: JsonRecord): EventTest {
  const fields = Object.entries(pattern);
  if (fields.length === 0) throw eventsErrors.invalidPattern('Empty objects are not allowed');
  const tests = fields.map(([key, asked]) => fieldTest(key, asked));
  const matches = (event: Json | undefined): boolean => tests.every((test) => test(event));
  // One element of a list has to match as a whole.
  return (event) =>
    Array.isArray(event) && event.length > 0 ? event.some((item: Json) => matches(item)) : matches(event);
}

function fieldTest(key: string, asked: Json): EventTest {
  if (key === '$or') return alternatives(asked);
  const test = isRecord(asked) ? objectTest(asked) : leafTest(key, asked);
  return (event) => test(isRecord(event) && Object.hasOwn(event, key) ? event[key] : undefined);
}

function alternatives(asked: Json): EventTest {
  if (!Array.isArray(asked) || asked.length < 2 || !asked.every((one: Json) => isRecord(one))) {
    throw eventsErrors.invalidPattern('"$or" must be an array of at least two objects');
  }
  const tests = asked.map((one: JsonRecord) => objectTest(one));
  return (event) => tests.some((test) => test(event));
}

function leafTest(key: string, asked: Json): EventTest {
  if (!Array.isArray(asked)) throw eventsErrors.invalidPattern(`"${key}" must be an object or an array`);
  if (asked.length === 0) throw eventsErrors.invalidPattern('Empty arrays are not allowed');
  const matchers = asked.map((entry: Json) => parseMatcher(entry));
  return (event) => {
    const values = leaves(event);
    return matchers.some((matcher) => holds(matcher, values));
  };
}

/** Values of a leaf; an object is no leaf, and `exists` speaks of leaves only. */
function leaves(event: Json | undefined): readonly Json[] {
  if (event === undefined || isRecord(event)) return [];
  return Array.isArray(event) ? event.filter((item: Json) => !isRecord(item)) : [event];
}

const holds = (matcher: Matcher, values: readonly Json[]): boolean =>
  matcher.kind === 'exists'
    ? matcher.exists === values.length > 0
    : values.some((candidate) => matcher.test(candidate));
