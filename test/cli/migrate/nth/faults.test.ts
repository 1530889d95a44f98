import { describe, expect, it } from 'vitest';
import type { Strike } from '../../../../packages/cloud-sandbox/src/cloud/strike.ts';
import { operatorOf } from '../../operator.ts';
import { nthWorld } from './world.ts';

/** The command and `drover adopt` read with these. */
const reads = [
  'autoscaling:Describe*',
  'ec2:Describe*',
  'events:List*',
  'events:Describe*',
  'iam:Get*',
  'sts:*',
  'eks:Describe*',
];
const writes = [
  'autoscaling:CreateOrUpdateTags',
  'autoscaling:DeleteTags',
  'autoscaling:PutLifecycleHook',
  'autoscaling:DeleteLifecycleHook',
  'ec2:CreateTags',
  'ec2:DeleteTags',
];

const there = 'migrate nth --apply --yes';
const back = 'migrate nth --back --apply --yes';

describe('a migration whose call is denied', () => {
  it.each([there, back].flatMap((line) => writes.map((action) => [action, line] as const)))(
    'without %s, `drover %s` names it, also as JSON, and the next run completes',
    async (action, line) => {
      const world = await nthWorld();
      if (line === back) expect((await operatorOf(world)(there)).code).toBe(0);
      const others = writes.filter((one) => one !== action);
      const { code, out, err } = await operatorOf(world, { actions: [...reads, ...others] })(
        `${line} --json`,
      );
      expect(code).toBe(1);
      expect(err).toContain(`is not authorized to perform: ${action} on resource`);
      expect(err).toMatch(/drover migrate nth (?:--back )?--apply goes on|run the command again to continue/);
      expect(JSON.parse(out)).toMatchObject({
        done: false,
        error: expect.stringContaining(`not authorized to perform: ${action}`),
      });
      const again = await operatorOf(world)(`${line} --json`);
      expect(again).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(again.out)).toMatchObject({ done: true, error: null });
    },
  );

  it('ends with the verb that the cluster denies, and the next run completes', async () => {
    const forbidden: Strike = {
      kind: 'http-answer',
      status: 403,
      body: JSON.stringify({
        kind: 'Status',
        status: 'Failure',
        reason: 'Forbidden',
        message: 'ana cannot create',
        code: 403,
      }),
    };
    const ana = { isDenied: true };
    const world = await nthWorld({
      weather: {
        strike: ({ caller, what }) =>
          ana.isDenied && caller === 'operator' && what.startsWith('POST') ? forbidden : undefined,
      },
    });
    const drover = operatorOf(world);
    const { code, out, err } = await drover(`${there} --json`);
    expect([code, err]).toEqual([1, expect.stringContaining('answered 403 Forbidden ana cannot create')]);
    expect(JSON.parse(out)).toMatchObject({
      done: false,
      error: expect.stringContaining('ana cannot create'),
    });
    ana.isDenied = false;
    expect((await drover(there)).code).toBe(0);
  });
});
