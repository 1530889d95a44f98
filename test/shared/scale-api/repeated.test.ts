import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askParameterOf, formatRoll, rollPathsOf } from '../../../shared/roll/roll.ts';
import { routes } from '../../../shared/scale-api/routes.ts';
import { rollOf } from '../roll/fixture.ts';
import { createScaleApiWorld, rollsOn } from './scale-api-world.ts';

const changing = Object.values(routes).filter(({ method }) => method !== 'GET');

describe.each(changing)('$method $path', ({ method, path, header }) => {
  const target = path
    .replace('{group}', 'workers')
    .replace('{instanceId}', 'i-0123456789abcdef0')
    .replaceAll(/\{\w+\}/g, 'sale');

  it('refuses Idempotency-Key in any spelling, and says what identifies the change instead', async () => {
    const names = fc
      .array(fc.boolean(), { minLength: 15, maxLength: 15 })
      .map((upper) => Array.from('idempotency-key', (c, at) => (upper[at] ? c.toUpperCase() : c)).join(''));
    await fc.assert(
      fc.asyncProperty(names, fc.string(), async (name, key) => {
        const answer = await createScaleApiWorld().send(method, target, {
          headers: { [name]: key },
          body: '{}',
        });
        expect(answer).toMatchObject({
          status: 400,
          body: {
            errors: [{ parameter: 'Idempotency-Key' }],
            detail: expect.stringContaining(header ? 'If-Match' : 'name in the path'),
          },
        });
      }),
      { numRuns: 10 },
    );
  });
});

/** Writes the parameter of a hold by hand. */
function putHold({ ssm }: ReturnType<typeof createScaleApiWorld>, text: string): void {
  ssm.operations.PutParameter({ Name: '/drover/drover/holds/workers/odd', Value: text, Type: 'String' }, {
    principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
    requestId: 'x',
  } as never);
}

describe('a hold that cannot be read', () => {
  const world = createScaleApiWorld();
  const setTo = (desiredCapacity: number, query = '') =>
    world.send('PUT', `/groups/workers/capacity${query}`, { body: JSON.stringify({ desiredCapacity }) });

  it('forbids a smaller group, in a dry run as well, and no larger one', async () => {
    putHold(world, '{"version":2,"nodes":2}');
    for (const query of ['', '?dryRun=true'])
      expect(await setTo(1, query)).toMatchObject({
        status: 409,
        body: {
          type: 'https://drover.dev/problems/held',
          detail: expect.stringContaining('the hold odd cannot be read'),
        },
      });
    expect(world.group().DesiredCapacity).toBe(2);
    expect(await setTo(3)).toMatchObject({ status: 202 });
    await world.send('DELETE', '/groups/workers/holds/odd');
    expect(await setTo(1)).toMatchObject({ status: 202 });
  });

  it('forbids to terminate an instance with a lower desired capacity', async () => {
    const other = createScaleApiWorld();
    const [instance] = other.group().Instances ?? [];
    putHold(other, 'six');
    expect(
      await other.send(
        'DELETE',
        `/instances/${instance?.InstanceId}?lowerDesiredCapacity=true&undrained=true`,
      ),
    ).toMatchObject({ status: 409, body: { type: 'https://drover.dev/problems/held' } });
  });
});

const change = fc.oneof(
  fc.record({
    method: fc.constant('PUT'),
    target: fc.constant('/groups/workers/capacity'),
    desiredCapacity: fc.integer({ min: 0, max: 6 }),
    raiseMaxSize: fc.boolean(),
  }),
  fc.record({
    method: fc.constant('PUT'),
    target: fc.constant('/groups/workers/holds/a'),
    nodes: fc.integer({ min: 1, max: 6 }),
    durationSeconds: fc.constant(3600),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    target: fc.constant('/groups/workers/holds/a'),
    durationSeconds: fc.constant(7200),
  }),
  fc.record({ method: fc.constant('DELETE'), target: fc.constant('/groups/workers/holds/a') }),
  fc.record({
    method: fc.constant('DELETE'),
    target: fc.constantFrom('', '?undrained=true', '?undrained=true&lowerDesiredCapacity=true'),
  }),
  fc.record({
    method: fc.constant('PUT'),
    target: fc.constantFrom('/schedules/noon', '/schedules/noon?replace=true'),
    autoScalingGroupName: fc.constantFrom('workers', 'workers', 'wrokers'),
    nodes: fc.integer({ min: 1, max: 6 }),
    durationSeconds: fc.constant(3600),
    expression: fc.constantFrom('cron(0 12 * * ? *)', 'at(2001-01-01T00:00:00)'),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    target: fc.constant('/schedules/noon'),
    paused: fc.boolean(),
  }),
  fc.record({ method: fc.constant('DELETE'), target: fc.constant('/schedules/noon') }),
  fc.record({
    method: fc.constant('PATCH'),
    target: fc.constantFrom('/rolls/june', '/rolls/june', '/rolls/july'),
    wanted: fc.constantFrom('run', 'paused', 'aborted'),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    target: fc.constant('/rolls/june'),
    wanted: fc.constant('run'),
    retarget: fc.constant(true),
  }),
  fc.record({
    method: fc.constant('PUT'),
    target: fc.constantFrom('/rolls/june', '/rolls/july'),
    groups: fc.constantFrom(['workers'], ['workers'], ['workers'], ['wrokers']),
    criterion: fc.constantFrom({ kind: 'changed' }, { kind: 'all' }),
    surge: fc.integer({ min: 1, max: 2 }),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;
const changes = fc.array(change, { minLength: 1, maxLength: 5 });

/** A world, with or without the schedule group of a deployment. */
function changeableWorld({ isDeployed }: { readonly isDeployed: boolean }) {
  const world = createScaleApiWorld({ hasScheduleGroup: false, environment: rollsOn });
  const Tags = ['function', 'role'].map((what) => ({
    Key: `drover.dev/schedule-${what}`,
    Value: `arn:aws:${what === 'role' ? 'iam::' : 'lambda:eu-west-1:'}123456789012:${what}${what === 'role' ? '/' : ':'}x`,
  }));
  if (isDeployed) world.scheduler.operations.CreateScheduleGroup({ Name: 'drover-drover', Tags });
  world.ssm.operations.PutParameter(
    {
      Name: askParameterOf(rollPathsOf('drover'), 'june'),
      Value: formatRoll(rollOf(['workers'], { name: 'june', startedAt: world.cloud.clock.now() })),
      Type: 'String',
    },
    {
      principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
      requestId: 'x',
    } as never,
  );
  const [instance] = world.group().Instances ?? [];
  const send = ({ method, target, ...body }: Change, more = '') => {
    const whole = target.startsWith('/') ? target : `/instances/${instance?.InstanceId}${target}`;
    const query = more === '' ? '' : `${whole.includes('?') ? '&' : '?'}${more}`;
    return world.send(method, `${whole}${query}`, { body: JSON.stringify(body) });
  };
  const state = async () => ({
    sizes: [world.group().MinSize, world.group().MaxSize, world.group().DesiredCapacity],
    instances: world.group().Instances?.map(({ InstanceId, LifecycleState }) => [InstanceId, LifecycleState]),
    holds: (await world.send('GET', '/holds')).body,
    schedules: (await world.send('GET', '/schedules')).body,
    rolls: (await world.send('GET', '/rolls')).body,
  });
  return { send, state };
}

describe('a changing request', () => {
  it('has no second effect if it is repeated, after any changes before it', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (drawn) => {
        const { send, state } = changeableWorld({ isDeployed: true });
        for (const one of drawn) {
          await send(one);
          const after = await state();
          await send(one);
          expect(await state()).toEqual(after);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is refused in a dry run exactly if it is refused, and a dry run has no effect', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (drawn, isDeployed) => {
        const { send, state } = changeableWorld({ isDeployed });
        for (const one of drawn) {
          const before = await state();
          const dry = await send(one, 'dryRun=true');
          expect(await state()).toEqual(before);
          const { status } = await send(one);
          const outcome = (code: number) => (code < 300 ? 'accepted' : code);
          expect(outcome(dry.status), JSON.stringify(one)).toBe(outcome(status));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('includes every changing route', () => {
    const routesOf = ({ method, target }: Change) => {
      const path = target.startsWith('/') ? (target.split('?')[0] ?? '') : '/instances/{instanceId}';
      return `${method} ${path
        .replace('workers', '{group}')
        .replace(/holds\/a$/, 'holds/{name}')
        .replace('noon', '{schedule}')
        .replace(/rolls\/ju\w+$/, 'rolls/{name}')}`;
    };
    const drawn = new Set(fc.sample(change, 500).map(routesOf));
    expect([...drawn].sort()).toEqual(changing.map(({ method, path }) => `${method} ${path}`).sort());
  });
});
