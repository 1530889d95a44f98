import * as z from 'zod/mini';
import { type Answer, compareAnswers, type Finding, type Shape } from './answers.ts';

/** An answer of a case, as a fixture keeps it: `sqs:CreateQueue`. */
export interface FixtureAnswer {
  readonly operation: string;
  readonly error?: string | undefined;
  readonly shape: Shape;
}

/** What an account has answered to the cases of one contract, by their sentences. */
export interface Fixture {
  readonly area: string;
  readonly cases: Readonly<Record<string, readonly FixtureAnswer[]>>;
}

/** A field, a list or a type, as `answers.ts` writes them. */
export const shapeSchema: z.ZodMiniType<Shape> = z.lazy(() =>
  z.union([z.string(), z.array(shapeSchema), z.record(z.string(), shapeSchema)]),
);

const fixtureSchema = z.object({
  area: z.string(),
  cases: z.record(
    z.string(),
    z.array(z.object({ operation: z.string(), error: z.optional(z.string()), shape: shapeSchema })),
  ),
});

/** @throws SyntaxError and ZodError for a text that `renderFixture` has not written */
export const readFixture = (text: string): Fixture => fixtureSchema.parse(JSON.parse(text));

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1);

/** The same answers give the same text, in whatever order they came: a file changes only if AWS does. */
export function renderFixture({ area, cases }: Fixture): string {
  const sorted = Object.keys(cases)
    .toSorted(inOrder)
    .map((sentence) => [sentence, (cases[sentence] ?? []).toSorted(byText)]);
  return `${JSON.stringify({ area, cases: Object.fromEntries(sorted) }, undefined, 1)}\n`;
}

const byText = (one: FixtureAnswer, other: FixtureAnswer): number =>
  inOrder(JSON.stringify(one), JSON.stringify(other));

/** Fixtures of the cases that `isWhole` accepts: the answers of a case that has failed end somewhere. */
export function fixturesOf(
  answers: readonly Answer[],
  isWhole: (sentence: string) => boolean,
): readonly Fixture[] {
  const ofCases = answers.filter((answer) => answer.case !== undefined && isWhole(answer.case));
  const areas = Map.groupBy(ofCases, ({ area = '' }) => area);
  return [...areas].map(([area, ofArea]) => {
    const bySentence = Map.groupBy(ofArea, (answer) => answer.case ?? '');
    const cases = [...bySentence].map(([sentence, ofCase]) => [sentence, ofCase.map(toFixture)]);
    return { area, cases: Object.fromEntries(cases) as Fixture['cases'] };
  });
}

export const toFixture = ({ service, operation, error, shape }: Answer): FixtureAnswer => ({
  operation: `${service}:${operation}`,
  ...(error !== undefined && { error }),
  shape,
});

/** A case that was recorded again replaces what was recorded before; the others stay. */
export const mergeFixture = (before: Fixture | undefined, after: Fixture): Fixture => ({
  area: after.area,
  cases: { ...before?.cases, ...after.cases },
});

/**
 * Texts that belong to an account. It looks for their form and knows nothing of the fields that `answers.ts` keeps: a check with the same list
 * would miss what the list has missed (https://github.com/teng-lin/notebooklm-py/pull/1258).
 */
export function leaksIn(text: string): readonly string[] {
  const forms = [
    /\barn:/g,
    /\d{12}/g,
    /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{8}/g,
    /\b(?:i|vpc|subnet|vol|eni|ami|lt|sg)-[0-9a-f]{8}/g,
    /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
    /\bhttps?:/g,
    /\bdrover-account-/g,
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/g,
  ];
  return forms.flatMap((form) => [...text.matchAll(form)].map(([found]) => found));
}

/** How one case differs between its fixture and the sandbox: fields, types and errors, and the values of settings. */
export function compareCase(
  fixture: readonly FixtureAnswer[],
  sandbox: readonly FixtureAnswer[],
): readonly Finding[] {
  const [theirs, ours] = [fixture, sandbox].map((answers) => answers.map(toAnswer));
  return [...compareAnswers(theirs ?? [], ours ?? []), ...compareValues(fixture, sandbox)];
}

/** The answer of a fixture, as `compareAnswers` takes it. */
export function toAnswer({ operation, error, shape }: FixtureAnswer): Answer {
  const [service = '', ...name] = operation.split(':');
  return { service, operation: name.join(':'), shape, ...(error !== undefined && { error }) };
}

/** What a poll sees of them depends on when it comes. */
const passing: ReadonlySet<string> = new Set(
  'ApproximateReceiveCount HealthStatus LifecycleState StatusCode state'.split(' '),
);

/** Values that the sandbox never answers to the same operation, by the path of their field. */
function compareValues(
  fixture: readonly FixtureAnswer[],
  sandbox: readonly FixtureAnswer[],
): readonly Finding[] {
  const ours = new Set(sandbox.flatMap(valuesOf));
  const missing = [...new Set(fixture.flatMap(valuesOf))].filter((value) => !ours.has(value));
  return missing.map((line) => {
    const [operation = '', path = '', value = ''] = line.split('\t');
    return {
      operation,
      difference: `${path} is ${value} in the account, and never in the sandbox`,
      proposal: `look for its default or its limit in packages/cloud-sandbox/src/aws, ${operation}`,
    };
  });
}

function valuesOf({ operation, shape }: FixtureAnswer): readonly string[] {
  return leavesOf(shape).flatMap(([path, leaf]) => {
    const value = leaf.split(' ')[1];
    const field = path.split('.').at(-1)?.replaceAll('[]', '') ?? '';
    return value === undefined || passing.has(field) ? [] : [`${operation}\t${path}\t${value}`];
  });
}

function leavesOf(shape: Shape, path = ''): readonly (readonly [path: string, leaf: string])[] {
  if (typeof shape === 'string') return [[path, shape]];
  if (Array.isArray(shape))
    return (shape as readonly Shape[]).flatMap((element) => leavesOf(element, `${path}[]`));
  return Object.entries(shape).flatMap(([name, one]) =>
    leavesOf(one, path === '' ? name : `${path}.${name}`),
  );
}

/** The file of an area: `sqs-standard-queues.json`. */
export const fixtureFile = (area: string): string =>
  `${area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.json`;
