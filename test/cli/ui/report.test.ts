import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CliContext } from '../../../cli/context.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { daysOf, type KeptReport, type ReportLine, type ReportView } from '../../../ui/state/report.ts';
import { operatorOf } from '../operator.ts';
import { ask, type RunningUi } from './run-ui.ts';
import { startUi } from './start-ui.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'batch' });
  await world.timeline.pass(300);
});

type Handler = NonNullable<CliContext['awsRequestHandler']>;

/** An operator's requests to AWS. `before` sees the log group of each call that reads lines. */
function watching(before: (logGroup: string) => void | Promise<void>): { awsRequestHandler: Handler } {
  const { awsRequestHandler: simulated } = world.doors('operator');
  return {
    awsRequestHandler: {
      ...simulated,
      handle: async (...[sent, options]: Parameters<Handler['handle']>) => {
        const { body, headers } = sent;
        if (headers['x-amz-target']?.endsWith('FilterLogEvents') && body instanceof Uint8Array)
          await before(JSON.parse(new TextDecoder().decode(body)).logGroupName);
        return await simulated.handle(sent, options);
      },
    },
  };
}

const query = (parts: Readonly<Record<string, string>>): string => String(new URLSearchParams(parts));

const read = async (ui: RunningUi, days = '14', cluster = 'drover'): Promise<readonly ReportLine[]> =>
  (await ask(`${ui.url}api/report?${query({ cluster, days })}`, { method: 'POST' })).body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine);

const latest = async (ui: RunningUi, parts: Readonly<Record<string, string>> = {}): Promise<KeptReport> =>
  JSON.parse((await ask(`${ui.url}api/report?${query({ cluster: 'drover', ...parts })}`)).body) as KeptReport;

async function shown(ui: RunningUi, parts: Readonly<Record<string, string>> = {}): Promise<ReportView> {
  const kept = await latest(ui, parts);
  if (kept.kind !== 'report') throw new Error(`no report: ${kept.kind}`);
  return kept.report;
}

describe('the report of the page', () => {
  it('reads no logs by the polling of the page, and not by showing what was read last', async () => {
    const asked: string[] = [];
    const ui = await startUi(
      world,
      'ui',
      watching((name) => void asked.push(name)),
    );
    for (let turn = 0; turn < 5; turn += 1) {
      await ui.state();
      await world.timeline.pass(60);
    }
    expect(await latest(ui)).toEqual({ kind: 'none' });
    // The time line reads others.
    const ofReport = () => asked.filter((name) => name.endsWith('-token-webhook')).length;
    expect(ofReport()).toBe(0);
    await read(ui);
    expect(ofReport()).toBe(1);
    await latest(ui);
    await latest(ui, { group: 'batch' });
    expect(ofReport()).toBe(1);
  });

  it('is what drover report prints, for the cluster and for a group, as CSV and as JSON', async () => {
    const ui = await startUi(world);
    const lines = await read(ui);
    expect(lines.at(-1)).toEqual({ kind: 'done' });
    const logs = lines.flatMap((line) => (line.kind === 'progress' ? [line.progress.log] : []));
    expect(logs).toContain('node-leaving');
    const drover = operatorOf(world);
    for (const group of [undefined, 'workers', 'batch']) {
      const of = group === undefined ? '' : ` ${group}`;
      const { until } = await shown(ui, group === undefined ? {} : { group });
      const file = { cluster: 'drover', until, ...(group !== undefined && { group }) };
      for (const format of ['csv', 'json']) {
        const { body, headers } = await ask(`${ui.url}api/report.${format}?${query(file)}`);
        expect(body).toBe((await drover(`report${of} --${format}`)).out);
        const name = [
          'drover-report_drover',
          ...(group === undefined ? [] : [group]),
          '2025-12-22_2026-01-05',
        ];
        expect(headers['content-disposition']).toBe(`attachment; filename="${name.join('_')}.${format}"`);
      }
    }
  });

  it('says what it covers and what it lacks: a log that is denied is not known, never nothing', async () => {
    const ui = await startUi(world, 'ui', { actions: ['autoscaling:*', 'events:*', 'sqs:*'] });
    expect((await read(ui)).at(-1)).toEqual({ kind: 'done' });
    const { sections, covers, missing } = await shown(ui);
    expect(sections.find(({ title }) => title === 'Drains')).toMatchObject({
      unknown: expect.stringContaining('allow logs:FilterLogEvents'),
      tables: [],
    });
    expect(covers[0]).toMatch(/^logs: 0 lines, up to /);
    expect(missing[0]).toContain('allow logs:FilterLogEvents');
  });

  it('says why nothing can be read, and keeps what was read before', async () => {
    const ui = await startUi(world, 'ui', { actions: ['sts:GetCallerIdentity'] });
    const [failed] = await read(ui);
    expect(failed).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not authorized') });
    expect(await latest(ui)).toEqual({ kind: 'none' });
  });

  it.each([
    ['POST', 'staging', '/report?days=14'],
    ['GET', 'staging', '/report?'],
    ['GET', 'staging', '/report.csv?'],
    ['GET', 'droveR', '/report.json?'],
    ['POST', undefined, '/report?days=14'],
  ])(
    'refuses %s for another cluster than that of the page, and reads nothing: %s',
    async (method, cluster, path) => {
      const asked: string[] = [];
      const ui = await startUi(
        world,
        'ui',
        watching((name) => void asked.push(name)),
      );
      const named = cluster === undefined ? '' : `&cluster=${cluster}`;
      const { status, body } = await ask(`${ui.url}api${path}${named}`, { method });
      expect(status).toBe(409);
      expect(body).toContain(cluster === undefined ? 'Name the cluster' : `the request is for ${cluster}`);
      expect(asked).toEqual([]);
    },
  );

  it('reads one at a time, and ends as soon as the page cancels or is closed', async () => {
    const asked: string[] = [];
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    const ui = await startUi(
      world,
      'ui',
      watching(async (name) => {
        asked.push(name);
        await held;
      }),
    );
    const days = (count: number): string => query({ cluster: 'drover', days: String(count) });
    const first = request(`${ui.url}api/report?${days(30)}`, { method: 'POST' });
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    first.on('error', () => undefined).on('close', () => leave());
    first.end();
    await expect.poll(() => asked.length).toBe(1);
    expect(await read(ui, '1')).toEqual([
      {
        kind: 'failed',
        reason: 'another page reads the report of cluster drover: wait until it is done, or cancel it there',
      },
    ]);
    first.destroy();
    await left;
    // The server notices it when the socket closes.
    await ask(`${ui.url}api/report?cluster=drover`);
    go();
    await expect.poll(async () => (await read(ui, '1')).at(-1)?.kind).toBe('done');
    // The first one has read one log of thirteen.
    expect(asked.filter((name) => name === asked[0])).toHaveLength(2);
    expect(asked.filter((name) => name === asked.at(-1))).toHaveLength(1);
    expect(daysOf(await shown(ui))).toBe(1);
  });

  it.each(['0', '365', '', '14x'])('refuses a period that the page does not offer: %s', async (days) => {
    const ui = await startUi(world);
    const { status, body } = await ask(`${ui.url}api/report?${query({ cluster: 'drover', days })}`, {
      method: 'POST',
    });
    expect([status, body]).toEqual([400, expect.stringContaining('one of 1, 7, 14, 30')]);
  });

  it.each([
    ['DELETE', 'report', 'GET, HEAD, POST'],
    ['POST', 'report.csv', 'GET, HEAD'],
  ])('refuses %s for %s', async (method, path, allow) => {
    const { status, headers } = await ask(`${(await startUi(world)).url}api/${path}`, { method });
    expect([status, headers['allow']]).toEqual([405, allow]);
  });

  it('gives no file of another report than the one that the page shows', async () => {
    const ui = await startUi(world);
    await read(ui);
    const { until } = await shown(ui);
    await world.timeline.pass(60);
    await read(ui);
    const { status, body } = await ask(`${ui.url}api/report.csv?${query({ cluster: 'drover', until })}`);
    expect([status, body]).toEqual([404, expect.stringContaining('Another report was read since')]);
    expect(await latest(ui, { group: 'gone' })).toEqual({ kind: 'no-group' });
  });

  it('is of the stage that was named, where several deployments may serve the cluster', async () => {
    for (const stage of ['one', 'two'])
      world.account.events.operations.PutRule({
        Name: `drover-${stage}-sweep`,
        Description: 'Every five minutes for cluster drover, a sweep',
        ScheduleExpression: 'rate(5 minutes)',
      });
    expect(await read(await startUi(world))).toEqual([
      { kind: 'failed', reason: expect.stringContaining('choose it with --stage') },
    ]);
    const stage = /^drover-(.+)-sweep$/.exec(world.lambda.functionOf('sweep').functionName)?.[1] ?? '';
    const ui = await startUi(world, `ui --stage ${stage}`);
    await read(ui);
    expect(await shown(ui)).toMatchObject({ cluster: 'drover', stage });
  });

  it('is not offered through the scale API, which has no logs', async () => {
    const ui = await startUi(world, 'ui --api');
    expect((await ui.state()).hasReports).toBeUndefined();
    expect((await ask(`${ui.url}api/report?cluster=drover`)).status).toBe(404);
    expect((await ask(`${ui.url}api/report?cluster=drover&days=1`, { method: 'POST' })).status).toBe(405);
  });
});
