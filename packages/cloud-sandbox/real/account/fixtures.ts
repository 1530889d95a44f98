import * as z from 'zod/mini';
import type { Answer, Shape } from './answers.ts';

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

/** What AWS answers when it is busy, or called too fast: it depends on the moment. The SDK calls again. */
const passingErrors =
  /Throttl|PriorRequestNotComplete|RequestLimitExceeded|ServiceUnavailable|InternalFailure/;

/** Fixtures of the cases that `isWhole` accepts: the answers of a case that has failed end somewhere. */
export function fixturesOf(
  answers: readonly Answer[],
  isWhole: (sentence: string) => boolean,
): readonly Fixture[] {
  const ofCases = answers.filter(
    (answer) => answer.case !== undefined && isWhole(answer.case) && !passingErrors.test(answer.error ?? ''),
  );
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

/** The file of an area: `sqs-standard-queues.json`. */
export const fixtureFile = (area: string): string =>
  `${area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.json`;
