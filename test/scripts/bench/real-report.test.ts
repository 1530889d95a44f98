import { expect, it } from 'vitest';
import { table } from '../../../scripts/bench/real/report.ts';

const nodes = { nodes: 400, podsPerNode: 10 };
const drover = { seconds: 100, lost: 0 };
const nth = { seconds: 500, apiRequestsPerNode: 27, awsCallsPerNode: 13 };

it('two contestants are compared by their seconds only if neither has lost a node', () => {
  expect(table({ ...nodes, ...drover, nth: { ...nth, lost: 0 } })).toMatch(/Drover against NTH .* 0\.2 /);
  const lossy = table({ ...nodes, ...drover, nth: { ...nth, lost: 300 } });
  expect(lossy).toMatch(/NTH: nodes lost .* 300 /);
  expect(lossy).not.toContain('Drover against NTH');
  expect(table({ ...nodes, ...drover, lost: 1, nth: { ...nth, lost: 0 } })).not.toContain('against');
});
