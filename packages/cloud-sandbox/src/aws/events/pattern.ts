import { AwsError } from '../service.ts';
import { eventsErrors } from './errors.ts';
import { isRecord, type Json, type JsonRecord, parseJson } from './json.ts';
import { joinPath, type Leaves, leavesOf, type Places, together } from './leaves.ts';
import { type Matcher, parseMatcher } from './matchers.ts';

/** Does an event match? */
export type EventTest = (event: Json | undefined) => boolean;

/** What all has to hold, by the path of a field: one of its matchers. A pattern is one of several such. */
type Alternative = ReadonlyMap<string, readonly Matcher[]>;

/**
 * An event pattern, ready to be asked. Throws InvalidEventPatternException.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 * It decides as AWS's own engine does (https://github.com/aws/event-ruler), which `test/contract/event-patterns` asks the same.
 */
export function compilePattern(text: string): EventTest {
  const pattern = parseJson(text);
  if (!isRecord(pattern)) throw eventsErrors.invalidPattern('Filter is not an object');
  const alternatives = compile(pattern).map((one) => [...one].sort(byPath));
  return (event) => {
    const leaves = leavesOf(event);
    return alternatives.some((fields) => holdTogether(fields, leaves, new Map()));
  };
}

const byPath = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** Where `$or` holds no alternatives, it is the name of a field, everywhere in the pattern. */
function compile(pattern: JsonRecord): readonly Alternative[] {
  const everything: readonly Alternative[] = [new Map()];
  try {
    return joinObject(everything, { pattern, path: '', or: true });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return joinObject(everything, { pattern, path: '', or: false });
  }
}

interface Part {
  readonly pattern: JsonRecord;
  readonly path: string;
  /** Whether `$or` means alternatives. */
  readonly or: boolean;
}

function joinObject(alternatives: readonly Alternative[], part: Part): readonly Alternative[] {
  const fields = Object.entries(part.pattern);
  if (fields.length === 0) throw eventsErrors.invalidPattern('Empty objects are not allowed');
  return fields.reduce((joined, field) => joinField(joined, field, part), alternatives);
}

function joinField(
  alternatives: readonly Alternative[],
  [name, asked]: readonly [string, Json],
  { path, or }: Part,
): readonly Alternative[] {
  if (or && name === '$or')
    return readAlternatives(asked).flatMap((pattern) => joinObject(alternatives, { pattern, path, or }));
  const own = joinPath(path, name);
  if (isRecord(asked)) return joinObject(alternatives, { pattern: asked, path: own, or });
  const matchers = readMatchers(name, asked);
  return alternatives.map((one) => new Map([...one, [own, matchers]]));
}

function readAlternatives(asked: Json): readonly JsonRecord[] {
  if (!Array.isArray(asked) || asked.length < 2 || !asked.every((one: Json) => isRecord(one)))
    throw eventsErrors.invalidPattern('"$or" must be an array of at least two objects');
  return asked;
}

function readMatchers(name: string, asked: Json): readonly Matcher[] {
  if (!Array.isArray(asked)) throw eventsErrors.invalidPattern(`"${name}" must be an object or an array`);
  if (asked.length === 0) throw eventsErrors.invalidPattern('Empty arrays are not allowed');
  return asked.map((entry: Json) => parseMatcher(entry));
}

/**
 * Whether each field has a value that is asked for, all of them in the same elements of the event's lists. Fields come in the
 * order of their names: a field without a value in the elements of the fields before it has none.
 */
function holdTogether(
  [first, ...others]: readonly (readonly [string, readonly Matcher[]])[],
  leaves: Leaves,
  places: Places,
): boolean {
  if (first === undefined) return true;
  const [path, matchers] = first;
  const here = (leaves.get(path) ?? []).flatMap(({ value, places: own }) => {
    const joined = together(places, own);
    return joined === undefined ? [] : [{ value, joined }];
  });
  if (here.length === 0)
    return matchers.some(({ kind }) => kind === 'absent') && holdTogether(others, leaves, places);
  return here.some(
    ({ value, joined }) =>
      matchers.some((matcher) => matcher.kind === 'value' && matcher.test(value)) &&
      holdTogether(others, leaves, joined),
  );
}
