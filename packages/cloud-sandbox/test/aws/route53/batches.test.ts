import type { Change, ChangeAction } from '@aws-sdk/client-route-53';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoute53Fixture, recordSet } from '../support/route53-fixture.ts';

const zoneName = 'example.internal';

interface Step {
  readonly action: ChangeAction;
  readonly label: string;
  readonly value: string;
}

const steps: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('CREATE', 'DELETE', 'UPSERT'),
  label: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom('10.0.0.1', '10.0.0.2'),
});

const toChange = ({ action, label, value }: Step): Change => ({
  Action: action,
  ResourceRecordSet: recordSet(`${label}.${zoneName}`, 'A', [value]),
});

/** The records after a batch, according to the API reference; undefined if the batch is refused. */
function expected(
  before: ReadonlyMap<string, string>,
  batch: readonly Step[],
): Map<string, string> | undefined {
  const after = new Map(before);
  const labels = new Set(batch.map(({ label }) => label));
  for (const label of labels) {
    const actions = batch.filter((step) => step.label === label).map(({ action }) => action);
    if (actions.length > 1 && actions.join(' ') !== 'DELETE CREATE') return undefined;
  }
  for (const { action, label, value } of batch) {
    if (action === 'CREATE' && after.has(label)) return undefined;
    if (action === 'DELETE' && after.get(label) !== value) return undefined;
    if (action === 'DELETE') after.delete(label);
    else after.set(label, value);
  }
  return after;
}

test('a random batch is applied as a whole or not at all', async () => {
  const batches = fc.array(fc.array(steps, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(batches, async (history) => {
      const zone = await createRoute53Fixture().createZone(zoneName);
      let model: ReadonlyMap<string, string> = new Map();
      for (const batch of history) {
        const after = expected(model, batch);
        const asked = zone.change(...batch.map(toChange));
        if (after) await asked;
        else await expect(asked).rejects.toMatchObject({ name: 'InvalidChangeBatch' });
        model = after ?? model;
        const { ResourceRecordSets = [] } = await zone.list();
        const records = ResourceRecordSets.filter(({ Type }) => Type === 'A').map(
          ({ Name = '', ResourceRecords }) =>
            [Name.split('.')[0] ?? '', ResourceRecords?.[0]?.Value] as const,
        );
        expect(new Map(records)).toEqual(model);
      }
    }),
    { numRuns: 100 },
  );
});
