import * as z from 'zod/mini';
import type { Finding } from './claim.ts';

const outcomeSchema = z.union([
  z.literal(['pass', 'fail']),
  z.object({ differs: z.string() }),
  z.object({ 'not applicable': z.string() }),
]);
const groupSchema = z.object({
  area: z.string(),
  world: z.string(),
  file: z.string(),
  findings: z.record(z.string(), outcomeSchema),
});
type Outcome = z.infer<typeof outcomeSchema>;

/** Reads what `writeTable` wrote. */
export function readTable(text: string): readonly Finding[] {
  return z
    .array(groupSchema)
    .parse(JSON.parse(text))
    .flatMap(({ area, world, file, findings }) =>
      Object.entries(findings).map(([behaviour, outcome]) => ({
        area,
        behaviour,
        world,
        file,
        ...verdictOf(outcome),
      })),
    );
}

/** JSON with one finding a line, so that a change of one finding changes one line. */
export function writeTable(findings: readonly Finding[]): string {
  const groups = Map.groupBy(findings, ({ area, world, file }) => JSON.stringify({ area, world, file }));
  const texts = inOrder([...groups]).map(([head, ofGroup]) => {
    const lines = inOrder(ofGroup.map((one) => [one.behaviour, one] as const)).map(
      ([behaviour, one]) => `${JSON.stringify(behaviour)}: ${JSON.stringify(outcomeOf(one))}`,
    );
    return `${head.slice(0, -1)},"findings":{\n${lines.join(',\n')}\n}}`;
  });
  return `[\n${texts.join(',\n')}\n]\n`;
}

const inOrder = <Value>(entries: readonly (readonly [string, Value])[]) =>
  entries.toSorted(([a], [b]) => (a < b ? -1 : 1));

function verdictOf(outcome: Outcome): Pick<Finding, 'verdict' | 'why'> {
  if (typeof outcome === 'string') return { verdict: outcome };
  return 'differs' in outcome
    ? { verdict: 'differs', why: outcome.differs }
    : { verdict: 'not applicable', why: outcome['not applicable'] };
}

function outcomeOf({ verdict, why = '' }: Finding): Outcome {
  if (verdict === 'differs') return { differs: why };
  return verdict === 'not applicable' ? { 'not applicable': why } : verdict;
}
