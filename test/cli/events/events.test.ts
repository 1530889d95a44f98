import { readdirSync } from 'node:fs';
import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { beforeEach, describe, expect, it } from 'vitest';
import { functionNames } from '../../../cli/events/functions.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { putHold, serving } from '../../../local/world/holds.ts';
import { nodeNameOf, untilGone } from '../../support/observed-instance.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;
let ids: readonly string[];
let strike: (call: CallInFlight) => Strike | undefined;

beforeEach(async () => {
  strike = () => undefined;
  world = createDroverWorld({ weather: { strike: (call) => strike(call) } });
  ids = await withWorkers(world, { size: 2 });
});

interface Report {
  readonly events: readonly Readonly<Record<string, string | null>>[];
  readonly missing: readonly string[];
  readonly cut: readonly string[];
  readonly skipped: number;
}

const reportOf = async (line: string): Promise<Report> => {
  const { code, out, err } = await operatorOf(world)(`events --json ${line}`.trim());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Report;
};
const groupOf = (name: string): string => `/aws/lambda/${world.lambda.functionOf(name).functionName}`;
const write = (name: string, line: object | string): void =>
  world.account.logs.controls.write(groupOf(name), typeof line === 'string' ? line : JSON.stringify(line));
const line = (fields: object) => ({
  time: new Date(world.clock.now()).toISOString(),
  level: 'info',
  message: 'pass',
  ...fields,
});

const idsOf = (of: DroverWorld, group: string): readonly (string | undefined)[] =>
  membersOf(of, group).map(({ InstanceId }) => InstanceId);

/** One of the workers has left. */
async function drained(): Promise<string> {
  const [leaving = ''] = ids;
  terminate(world, leaving, { replace: false });
  await untilGone(world, leaving);
  return leaving;
}

describe('drover events', () => {
  it('shows what was seen and decided about a node that left, the newest last', async () => {
    const leaving = await drained();
    const { code, out } = await operatorOf(world)(`events --instance ${leaving}`);
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
    expect(rows[0]?.slice(1, 4)).toEqual(['intake', leaving, 'taken in']);
    expect(rows.at(-1)).toEqual([
      expect.stringMatching(/^2026-01-05T\d\d:\d\d:\d\dZ$/),
      'node-leaving',
      leaving,
      'done',
      expect.stringContaining('its hook is completed'),
    ]);
    expect(new Set(rows.map(([, , subject]) => subject))).toEqual(new Set([leaving]));
    const times = rows.map(([time = '']) => Date.parse(time));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('finds the instance of a node by its short name, and asks the cluster for nothing else', async () => {
    const [id = ''] = ids;
    const name = nodeNameOf(world, id);
    const [label = ''] = name.split('.');
    write('node-leaving', line({ subject: id, outcome: 'done', reason: 'of this instance' }));
    write('node-leaving', line({ subject: ids[1], outcome: 'done', reason: 'of another' }));
    const { events } = await reportOf(`--instance ${label} --function node-leaving`);
    expect(events.map(({ reason }) => reason)).toEqual(['of this instance']);
    const without = operatorOf(world, { hasKubeconfig: false });
    expect((await without(`events --instance ${id} --json`)).code).toBe(0);
    expect((await without(`events --instance ${label}`)).err).toMatch(/there is no kubeconfig at /);
  });

  it('takes no mistyped id of an instance for the name of a node', async () => {
    expect(await operatorOf(world)('events --instance i-0123')).toEqual({
      code: 2,
      out: '',
      err: 'drover: i-0123 is not an instance id such as i-0123456789abcdef0\n',
    });
  });

  it('--json has the same as data', async () => {
    const leaving = await drained();
    const { events, missing, cut, skipped } = await reportOf(`--instance ${leaving} --function node-leaving`);
    expect({ missing, cut, skipped }).toEqual({ missing: [], cut: [], skipped: 0 });
    expect(events.at(-1)).toEqual({
      function: 'node-leaving',
      time: expect.stringMatching(/^2026-01-05T/),
      level: 'info',
      subject: leaving,
      outcome: 'done',
      reason: expect.stringContaining('its hook is completed'),
    });
    expect(new Set(events.map((event) => event['function']))).toEqual(new Set(['node-leaving']));
  });

  it('--group shows what concerns the group itself and its instances of now', async () => {
    const leaving = await drained();
    write('prewarm', line({ subject: 'workers', outcome: 'done', reason: 'the floor is raised' }));
    write('prewarm', line({ level: 'warn', message: 'MaxSize is below the floor', group: 'workers' }));
    write('prewarm', line({ subject: 'others', outcome: 'done', reason: 'another' }));
    write('node-joining', line({ subject: ids[1], outcome: 'done', reason: 'joined' }));
    const subjects = (await reportOf('--group workers')).events.map(({ subject, outcome, reason }) => [
      subject,
      outcome,
      reason,
    ]);
    expect(subjects).toEqual(
      expect.arrayContaining([
        ['workers', 'done', 'the floor is raised'],
        ['workers', 'warning', 'MaxSize is below the floor'],
        [ids[1], 'done', 'joined'],
      ]),
    );
    expect(subjects.flat()).not.toContain('others');
    expect(subjects.flat()).not.toContain(leaving);
  });

  it('--group and --instance show that an empty node was given back', async () => {
    const tags = { 'drover.dev/give-back-empty': 'true' };
    const group = { size: 1, autoScalingGroupName: 'batch/eu', tags, settings: { MinSize: 1, MaxSize: 3 } };
    await withWorkers(world, group);
    putHold(world, { group: 'batch/eu', nodes: 2, minutes: 10 });
    await world.timeline.until(() => serving(world, 'batch/eu') === 2, { withinSeconds: 400, what: 'two' });
    const before = idsOf(world, 'batch/eu');
    await world.timeline.until(() => idsOf(world, 'batch/eu').length === 1, {
      withinSeconds: 2400,
      what: 'one',
    });
    const givenBack = before.find((id) => !idsOf(world, 'batch/eu').includes(id)) ?? '';
    const shown = async (flags: string) =>
      (await reportOf(flags)).events.map(({ subject, reason }) => `${subject}: ${reason}`);
    const ofGroup = await shown('--group batch/eu');
    expect(ofGroup).toContainEqual(expect.stringMatching(/^batch\/eu: node \S+ is empty and is given back$/));
    expect(ofGroup).toContainEqual(expect.stringMatching(/^batch\/eu: .*MinSize/));
    expect(await shown(`--instance ${givenBack}`)).toContainEqual(
      expect.stringMatching(/^batch\/eu: node \S+ is empty and is given back$/),
    );
  });

  it('--group finds the instances of a group that is too large for one filter pattern', async () => {
    const members = await withWorkers(world, { size: 14, autoScalingGroupName: 'large' });
    for (const subject of members)
      write('node-joining', line({ subject, outcome: 'done', reason: 'joined' }));
    write('node-leaving', line({ subject: 'i-99999999', outcome: 'done', reason: 'of another group' }));
    const { events } = await reportOf('--group large');
    expect(events).toHaveLength(14);
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set(members));
  });

  it('shows certificates, holds, changes and errors, and neither summaries nor requests', async () => {
    await world.timeline.pass(3600);
    const passed = line({
      message: 'certificate request approved',
      request: 'csr-1',
      reason: 'it is its node',
    });
    write('certificate-requests', passed);
    write('prewarm', line({ message: 'look', holds: 1, made: ['morning'] }));
    write('prewarm', line({ message: 'look', holds: 1, made: [] }));
    write('scale-api', line({ message: 'change requested', subject: 'workers', action: 'set capacity' }));
    write(
      'scale-api',
      line({ message: 'change made', subject: 'workers', action: 'set capacity', caller: 'ana' }),
    );
    write('sweep', line({ level: 'error', message: 'it failed', error: { message: 'throttled' } }));
    write(
      'node-leaving',
      line({
        level: 'error',
        subject: 'i-1',
        outcome: 'again',
        reason: 'later',
        error: { message: 'denied' },
      }),
    );
    const cause = { message: 'no right', cause: { message: 'no right: ssm:GetParameter' } };
    write(
      'bootstrap-credential',
      line({ level: 'error', message: 'it failed', error: { message: 'cannot read', cause } }),
    );
    const { events } = await reportOf('--since 1s');
    expect(
      events.map((event) => [event['function'], event['subject'], event['outcome'], event['reason']]),
    ).toEqual(
      expect.arrayContaining([
        ['certificate-requests', 'csr-1', 'approved', 'it is its node'],
        ['prewarm', 'morning', 'hold made', 'its schedule is due'],
        ['scale-api', 'workers', 'set capacity', 'change made: by ana'],
        ['sweep', null, 'error', 'it failed: throttled'],
        ['node-leaving', 'i-1', 'failed', 'later: denied'],
        ['bootstrap-credential', null, 'error', 'it failed: cannot read: no right: ssm:GetParameter'],
      ]),
    );
    expect(events).toHaveLength(6);
  });

  it('--since goes back so far and no further', async () => {
    write('node-leaving', line({ subject: 'i-1', outcome: 'done', reason: 'long ago' }));
    await world.timeline.pass(5400);
    write('node-leaving', line({ subject: 'i-1', outcome: 'done', reason: 'lately' }));
    const reasons = async (flags: string) =>
      (await reportOf(`--function node-leaving ${flags}`.trim())).events
        .filter(({ subject }) => subject === 'i-1')
        .map(({ reason }) => reason);
    expect(await reasons('')).toEqual(['lately']);
    expect(await reasons('--since 2h')).toEqual(['long ago', 'lately']);
  });

  it('removes control sequences, keeps a line of a log on one line, and leaves out what is not Drover’s', async () => {
    const reason = 'a\u001b[2J\u001b]0;owned\u0007\nb';
    write('sweep', line({ level: 'warn', message: 'x', reason }));
    write('sweep', { time: 'yesterday', level: 'warn', message: 'no time' });
    write('sweep', 'Task timed out after 30.00 seconds');
    const { out, err } = await operatorOf(world)('events --function sweep --since 1s');
    expect(out).toMatch(/ warning {3}x: a b\n$/);
    expect(err).toBe("1 line is not Drover's, and left out\n");
  });

  it('reads pages, keeps the newest lines, and says that older ones are left out', async () => {
    for (let number = 0; number < 2500; number += 1)
      write('node-leaving', line({ subject: 'i-1', outcome: 'done', reason: `${number}` }));
    const { out, err } = await operatorOf(world)('events --function node-leaving');
    const rows = out.trimEnd().split('\n');
    expect(rows).toHaveLength(2000);
    expect([rows[0], rows.at(-1)]).toEqual([expect.stringMatching(/ 500$/), expect.stringMatching(/ 2499$/)]);
    expect(err).toMatch(/^older lines of node-leaving are left out: /);
  });

  it('reads no more lines than that if pages are shorter than requested', async () => {
    for (let number = 0; number < 4000; number += 1)
      write('node-leaving', line({ subject: 'i-1', outcome: 'done', reason: `${number}` }));
    const { operations } = world.account.logs;
    const { FilterLogEvents } = operations;
    Object.assign(operations, {
      FilterLogEvents: ({ limit = 1500, ...request }: Parameters<typeof FilterLogEvents>[0]) =>
        FilterLogEvents({ ...request, limit: Math.min(limit, 1500) }),
    });
    const { events, cut } = JSON.parse(
      (await operatorOf(world)('events --json --function node-leaving')).out,
    ) as Report;
    expect(events).toHaveLength(2000);
    expect(cut).toEqual(['node-leaving']);
  });

  it('goes on after empty pages', async () => {
    write('node-leaving', line({ subject: 'i-1', outcome: 'done', reason: 'found' }));
    const { operations } = world.account.logs;
    const { FilterLogEvents } = operations;
    let pages = 0;
    Object.assign(operations, {
      FilterLogEvents: ({ nextToken, ...request }: Parameters<typeof FilterLogEvents>[0]) => {
        pages += 1;
        return pages < 4 ? { events: [], nextToken: `${nextToken}` } : FilterLogEvents(request);
      },
    });
    const { events } = await reportOf('--function node-leaving');
    expect(events.at(-1)).toMatchObject({ reason: 'found' });
  });

  it('says which functions have no log', async () => {
    const isDeployed = ({ name }: { readonly name: string }): boolean => name !== 'token-webhook';
    const partial = createDroverWorld({
      editWiring: (wiring) => ({ ...wiring, functions: wiring.functions.filter(isDeployed) }),
    });
    expect(await operatorOf(partial)('events')).toMatchObject({
      code: 0,
      err: expect.stringContaining('no log of token-webhook: not deployed, or never ran\n'),
    });
    expect(await operatorOf(world)('events --stage other')).toEqual({
      code: 1,
      out: '',
      err: 'drover: no function of stage other has a log in this account and region: check --stage and --region\n',
    });
    expect(await operatorOf(world)('events --stage other --function sweep')).toEqual({
      code: 0,
      out: '',
      err: 'nothing was seen or decided in this time\nno log of sweep: not deployed, or never ran\n',
    });
  });

  it('names the missing right', async () => {
    const { code, err } = await operatorOf(world, { actions: ['events:ListRules'] })('events');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^drover: cannot read \/aws\/lambda\/drover-\w+-bootstrap-credential; allow the action logs:FilterLogEvents on this log group: .*not authorized to perform: logs:FilterLogEvents on resource: arn:aws:logs:/,
    );
  });

  it('ends if CloudWatch Logs does not answer', async () => {
    strike = ({ what }) => (what === 'logs FilterLogEvents' ? { kind: 'hang-before' } : undefined);
    const run = operatorOf(world)('events --function sweep');
    await world.timeline.pass(120);
    expect(await run).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^drover: cannot read \/aws\/lambda/),
    });
  });

  it.each([
    ['--instance workers', 1, 'there is no node workers'],
    ['--instance i-0123456789abcdef0 --group workers', 2, 'cannot be used with option'],
    ['--since 3', 2, 'write the unit too'],
    ['--since 91d', 2, 'write a duration'],
    ['--function others', 2, 'Allowed choices are bootstrap-credential'],
    ['--group others', 1, 'there is no Auto Scaling group others'],
  ])('%s is refused', async (flags, code, words) => {
    expect(await operatorOf(world)(`events ${flags}`)).toMatchObject({
      code,
      err: expect.stringContaining(words),
    });
  });

  it('knows every function', () => {
    const files = readdirSync(new URL('../../../functions', import.meta.url)).map((file) =>
      file.replace('.ts', ''),
    );
    expect([...functionNames]).toEqual(files.toSorted());
  });
});

describe('drover events --follow', () => {
  /** Does something in each pause, and ends as Ctrl-C does after the last. */
  const pausing = (...steps: readonly (() => void | Promise<void>)[]) => {
    let paused = 0;
    return async (milliseconds: number) => {
      const step = steps[paused];
      paused += 1;
      if (step === undefined) throw new Error('stopped');
      await step();
      await world.timeline.pass(milliseconds / 1000);
    };
  };
  const say = (reason: string) => () =>
    write('node-joining', line({ subject: 'i-12345678', outcome: 'done', reason }));
  const nothing = () => undefined;

  it('shows each line once, also one that arrives late, until Ctrl-C', async () => {
    say('before')();
    const { operations } = world.account.logs;
    const { FilterLogEvents } = operations;
    let isLate = true;
    const since: (number | undefined)[] = [];
    Object.assign(operations, {
      FilterLogEvents: (request: Parameters<typeof FilterLogEvents>[0]) => {
        const { events, ...rest } = FilterLogEvents(request);
        since.push(request.startTime);
        return { ...rest, events: events.filter(({ message }) => !(isLate && message.includes('late'))) };
      },
    });
    const arrive = () => {
      isLate = false;
    };
    const pause = pausing(say('late'), say('first'), arrive, nothing);
    const { out } = await operatorOf(world, { pause })('events --follow --instance i-12345678');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/ {2,}/).at(-1)),
    ).toEqual(['before', 'first', 'late']);
    expect(since.at(-1)).toBeGreaterThan(since.at(-1 - functionNames.length) ?? Infinity);
  });

  it('--json prints an object per line', async () => {
    const pause = pausing(say('first'));
    const { out } = await operatorOf(world, { pause })('events --follow --json --instance i-12345678');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row) as object),
    ).toMatchObject([{ subject: 'i-12345678', reason: 'first' }]);
  });

  it('says once that reads fail, and the next one shows what was missed', async () => {
    const fail = () => {
      say('missed')();
      strike = ({ what }) =>
        what === 'logs FilterLogEvents'
          ? {
              kind: 'aws-error',
              error: new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
            }
          : undefined;
    };
    const recover = () => {
      strike = () => undefined;
    };
    const pause = pausing(fail, () => {}, recover);
    const { out, err } = await operatorOf(world, { pause })('events --follow --instance i-12345678');
    expect(err.match(/cannot read \/aws\/lambda\/\S+.*; tries again\n/g)).toHaveLength(1);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain('missed');
  });

  it('shows after an outage of minutes what it missed', async () => {
    const fail = () => {
      say('missed')();
      strike = ({ what }) => (what === 'logs FilterLogEvents' ? { kind: 'fail-before' } : undefined);
    };
    const recover = () => {
      strike = () => undefined;
    };
    const pause = pausing(nothing, fail, () => world.timeline.pass(300), recover);
    const { out } = await operatorOf(world, { pause })('events --follow --instance i-12345678');
    expect(out).toContain('missed');
  });

  it('fails if the first read fails', async () => {
    const run = await operatorOf(world, { actions: ['events:ListRules'] })('events --follow');
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining('logs:FilterLogEvents') });
  });
});
