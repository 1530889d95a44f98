import { expect, it } from 'vitest';
import { findHold } from '../../../../shared/capacity/holds/change-holds.ts';
import { bySchedule } from '../../../../shared/capacity/holds/hold.ts';
import { makeDueHolds } from '../../../../shared/capacity/holds/make-due-holds.ts';
import { hour, start } from './fixtures.ts';
import { createHoldWorld, paths } from './world.ts';

const due = {
  autoScalingGroupName: 'workers',
  name: 'office.20261125T0800Z',
  nodes: 6,
  until: start + hour,
  raiseMaxSize: false,
  by: bySchedule('office'),
};

it.each([
  ['extended', { until: start + 2 * hour }],
  ['ended early', { endedAt: start }],
])('a hold of a schedule that a person has %s stays so where an old list lacks it', async (_, change) => {
  const world = createHoldWorld();
  const standing = { ...due, ...change };
  world.hold(standing);
  const made = await makeDueHolds(world.context, { due: [due], texts: new Map(), now: start });
  expect(made).toEqual({ texts: new Map(), made: [], problems: [] });
  expect(await findHold({ parameters: world.context.parameters, paths }, due)).toEqual({
    kind: 'hold',
    hold: standing,
  });
});
