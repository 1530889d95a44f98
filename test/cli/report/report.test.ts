import { HttpResponse } from '@smithy/core/transport';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../cli/report/report-of.ts';
import { widthOf } from '../../../cli/table/shorten.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { isoSeconds } from '../../../shared/base/iso-seconds.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;
let id: string;
let otherId: string;

const write = (name: string, line: object | string): void =>
  world.account.logs.controls.write(
    `/aws/lambda/${world.lambda.functionOf(name).functionName}`,
    typeof line === 'string' ? line : JSON.stringify(line),
  );
const isoOf = (time: number): string => new Date(time).toISOString();
const passOf = (subject: string, outcome: 'again' | 'done', facts: object) => ({
  time: isoOf(world.clock.now()),
  level: 'info',
  message: 'pass',
  subject,
  outcome,
  facts,
});

/** A node that a budget has held for 40 s, and one of another group; a refused call, and what is not Drover's. */
async function twoLeaves(): Promise<void> {
  const held = { waitsFor: 'budget', budgets: ['web/=web'] };
  write('node-leaving', passOf(id, 'again', held));
  await world.timeline.pass(40);
  const ended = { release: 'completed', drainSeconds: 40, leaveSeconds: 40, node: 'node-1' };
  write('node-leaving', passOf(id, 'done', { ...ended, autoScalingGroupName: 'workers' }));
  write('node-leaving', passOf(otherId, 'done', { ...ended, drainSeconds: 4 }));
  write('scale-api', { CallsThrottled: 2, Service: 'Auto Scaling', Operation: 'DescribeAutoScalingGroups' });
  write('node-leaving', 'REPORT RequestId: 1');
}

beforeAll(async () => {
  world = createDroverWorld();
  [id = ''] = await withWorkers(world, { size: 1 });
  [otherId = ''] = await withWorkers(world, { size: 1, autoScalingGroupName: 'batch' });
  await world.timeline.pass(60);
  await twoLeaves();
});

const reportOf = async (line = '--since 90m', actions: readonly string[] = ['*']) => {
  const { code, out, err } = await operatorOf(world, { actions })(`report --json ${line}`);
  return { code, err, report: JSON.parse(out) as Report };
};

describe('drover report', () => {
  it('--json has what ended, by group; the group of an instance is found where its lines do not name it', async () => {
    const { code, err, report } = await reportOf('--since 5m');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(report).toMatchObject({ version: 1, cluster: 'drover', group: null });
    expect(report.drains).toMatchObject({
      kind: 'known',
      value: {
        groups: [
          {
            group: 'batch',
            ended: 1,
            drained: 1,
            failed: 0,
            podsForced: 0,
            seconds: { n: 1, p50: 4, p95: 4, max: 4 },
          },
          { group: 'workers', ended: 1, seconds: { n: 1, p50: 40, p95: 40, max: 40 } },
        ],
        waits: { budget: 40 },
        stillLeaving: 0,
        terminatedWithoutLeave: 0,
      },
    });
    expect(report.budgets).toEqual({ kind: 'known', value: [{ budget: 'web/=web', seconds: 40, nodes: 1 }] });
    expect(report.refusals).toEqual({
      kind: 'known',
      value: [{ service: 'Auto Scaling', operation: 'DescribeAutoScalingGroups', count: 2 }],
    });
    expect(report.holds).toMatchObject({ kind: 'known', value: { holds: [], hours: [] } });
  });

  it('of one group has only what is of that group', async () => {
    const { report } = await reportOf('workers --since 5m');
    expect(report).toMatchObject({ group: 'workers', drains: { value: { groups: [{ group: 'workers' }] } } });
    const other = await reportOf('batch --since 5m');
    expect(other.report.budgets).toEqual({ kind: 'known', value: [] });
    expect(await operatorOf(world)('report nothing')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('there is no Auto Scaling group nothing'),
    });
  });

  it('fits a terminal of 80 columns, and is whole in a pipe', async () => {
    const { out } = await operatorOf(world, { isTerminal: true, columns: 80 })('report --since 5m');
    const tables = out.split('\n').filter((line) => /^(?:GROUP|workers|batch|web)/.test(line));
    expect(tables.length).toBeGreaterThan(3);
    expect(tables.filter((line) => widthOf(line) > 80)).toEqual([]);
    const piped = await operatorOf(world)('report --since 5m --price 0.1');
    expect(piped.code).toBe(0);
    expect(piped.out).toContain('waited for: first-pass 40s, budget 40s\n');
    expect(piped.out).toMatch(/GROUP {5}LEFT {3}DRAINED .*\nbatch {5}1 {6}1 /);
    expect(piped.out).toMatch(
      /\nCalls that AWS refused for their rate\nSERVICE.*\nAuto Scaling {3}DescribeAutoScalingGroups {3}2\n/,
    );
    expect(piped.out).toMatch(/\nWhat this covers\nlogs from 2026-01-05T/);
  });

  it('--csv has a line for each event, and no cell that a spreadsheet takes for a formula', async () => {
    const { code, out } = await operatorOf(world)('report --since 5m --csv');
    expect(code).toBe(0);
    const [head, ...rows] = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(head?.slice(0, 4)).toEqual(['kind', 'group', 'name', 'node']);
    expect(rows.every((row) => row.length === head?.length)).toBe(true);
    expect(rows.map(([kind, group, name]) => [kind, group, name])).toEqual(
      expect.arrayContaining([
        ['leave', 'workers', id],
        ['leave', 'batch', otherId],
        ['budget', '', 'web/=web'],
        ['refused', '', 'Auto Scaling DescribeAutoScalingGroups'],
      ]),
    );
  });

  it('says that the logs begin later than --since, and that AWS keeps activities for six weeks', async () => {
    const { code, report } = await reportOf('--since 60d');
    expect(code).toBe(0);
    expect(report.covers.missing).toEqual([
      expect.stringMatching(
        /^the logs begin at 2026-01-05T\d\d:\d\d:\d\dZ: older lines are past the retention/,
      ),
      expect.stringMatching(/^activities before 2025-11-24T.*: AWS keeps them for six weeks$/),
    ]);
  });

  it('names what it may not read, shows no zeros for it, and exits with 5', async () => {
    const rights = ['autoscaling:*', 'events:ListRules'];
    const { code, err, report } = await reportOf('--since 5m', rights);
    expect({ code, err }).toEqual({ code: 5, err: 'drover: the report lacks what could not be read\n' });
    const reason = 'the log of node-leaving cannot be read: allow logs:FilterLogEvents on its log group';
    expect(report.drains).toEqual({ kind: 'unknown', reason });
    expect(report.budgets).toEqual({ kind: 'unknown', reason });
    expect(report.refusals).toEqual({ kind: 'unknown', reason: report.covers.missing[0] });
    expect(report.covers.missing[0]).toMatch(
      /^the logs of bootstrap-credential, .*, node-leaving, .*, token-webhook cannot be read: allow logs:FilterLogEvents on their log groups$/,
    );
    const text = await operatorOf(world, { actions: rights })('report --since 5m');
    expect(text.out).toContain(`Drains\nnot known: ${reason}\n`);
    const csv = await operatorOf(world, { actions: rights })('report --since 5m --csv');
    expect(csv.err).toContain('allow logs:FilterLogEvents on their log groups\n');
  });

  it('without the right to read activities knows no launches, and counts no terminations', async () => {
    const rights = ['logs:*', 'autoscaling:DescribeAutoScalingGroups', 'events:ListRules'];
    const { code, report } = await reportOf('--since 5m', rights);
    expect(code).toBe(5);
    const reason = 'the activities of the groups cannot be read: allow autoscaling:DescribeScalingActivities';
    expect(report.launches).toEqual({ kind: 'unknown', reason });
    expect(report.covers.activities).toBeNull();
    expect(report.drains).toMatchObject({ value: { terminatedWithoutLeave: null } });
  });

  it.each([
    ['--since 14', 'write the unit too, such as 14d or 14h'],
    ['--price cheap', 'write dollars for an hour of a node such as 0.096, or workers=0.096'],
    ['--json --csv', "option '--json' cannot be used with option '--csv'"],
  ])('refuses %s with a remedy', async (line, remedy) => {
    expect(await operatorOf(world)(`report ${line}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(remedy),
    });
  });
});

it('on a terminal, a report says how far it has read a long log', async () => {
  const timestamp = world.clock.now();
  const message = JSON.stringify({ time: isoOf(timestamp), level: 'info', message: 'sweep' });
  const events = Array.from({ length: 10_000 }, () => ({ timestamp, message }));
  const { awsRequestHandler: simulated } = world.doors('operator');
  let pages = 0;
  const run = operatorOf(world, {
    isTerminal: true,
    awsRequestHandler: {
      ...simulated,
      handle: async (request, options) => {
        if (!request.headers['x-amz-target']?.endsWith('FilterLogEvents'))
          return await simulated.handle(request, options);
        pages += 1;
        const body = Buffer.from(JSON.stringify({ events, ...(pages < 3 && { nextToken: `${pages}` }) }));
        return {
          response: new HttpResponse({ statusCode: 200, headers: { 'x-amzn-requestid': '1' }, body }),
        };
      },
    },
  });
  const { code, err } = await run('report --since 5m');
  expect(code).toBe(0);
  expect(err).toBe(`bootstrap-credential: 20,000 lines read, back to ${isoSeconds(timestamp)}\n`);
});
