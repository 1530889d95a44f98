import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goneNames, type MachineNames, machineNamesIn } from './machine-names.ts';

// Made from the release 0.1.0 by machineNamesIn. Change it with a release, or name what is gone in CHANGELOG.md.
const released = JSON.parse(
  readFileSync(new URL('machine-names.released.json', import.meta.url), 'utf8'),
) as MachineNames;

it('keeps every name of the release on which programs, dashboards and stacks depend', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  expect(goneNames(released, machineNamesIn('.'), changelog)).toEqual([]);
});

it('finds names of every kind', () => {
  for (const [kind, names] of Object.entries(machineNamesIn('.')))
    expect(names.length, kind).toBeGreaterThan(1);
});

it('reports a name that is gone, unless the changelog names it', () => {
  const now = { ...released, metrics: released.metrics.filter((name) => !name.startsWith('Parked')) };
  expect(goneNames(released, now, '')).toEqual(['metrics: Parked Count']);
  expect(goneNames(released, now, '- `Parked Count` is gone.')).toEqual([]);
});
