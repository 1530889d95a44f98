import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { untilWhole } from '../../local/world/etcd/expectations.ts';
import { type Bill, billOf, metricHoursOf, totalOf } from '../support/bill.ts';

const { Resources } = JSON.parse(
  readFileSync('.serverless/cloudformation-template-update-stack.json', 'utf8'),
) as { readonly Resources: Readonly<Record<string, { readonly Type: string }>> };
const dashboards = Object.values(Resources).filter(
  ({ Type }) => Type === 'AWS::CloudWatch::Dashboard',
).length;

/** As with the parameters rolls=off and podHolds=off, the defaults: deploy/prewarm.yml gives more memory to holds for pods. */
const byDefault = (wiring: DroverWorld['wiring']): DroverWorld['wiring'] => ({
  ...wiring,
  functions: wiring.functions.map((one) => (one.name === 'prewarm' ? { ...one, memoryMegabytes: 512 } : one)),
  alarms: wiring.alarms.filter(({ alarmName }) => !/-roll-/.test(alarmName)),
  rules: wiring.rules.filter(({ rule }) => !rule.Name?.endsWith('-roll')),
  eventSourceMappings: wiring.eventSourceMappings.filter(
    ({ eventSourceArn }) => !eventSourceArn.includes('RollQueue'),
  ),
});

const worlds: Readonly<Record<string, (options: DroverWorldOptions) => Promise<DroverWorld>>> = {
  'with three workers': async (options) => {
    const world = createDroverWorld({ ...options, editWiring: byDefault });
    await withWorkers(world, { size: 3 });
    return world;
  },
  'with three members of etcd and snapshots too': async (options) => {
    const world = createEtcdDroverWorld({
      ...options,
      snapshotBucket: 'snapshots',
      editWiring: byDefault,
    });
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    await withWorkers(world, { size: 3 });
    return world;
  },
};

const hour = 3600;
const watchedHours = 12;

/** The bill of a month of quiet hours. The first ones, in which nodes join, do not count. */
async function quietHours(create: (options: DroverWorldOptions) => Promise<DroverWorld>) {
  const calls: string[] = [];
  const onCall = ({ to, what }: { readonly to: string; readonly what: string }): void => {
    if (to === 'aws') calls.push(what);
  };
  const world = await create({ weather: { onCall } });
  world.alarms.start();
  await world.timeline.pass(3 * hour);
  await world.timeline.pass(hour - ((world.clock.now() / 1000) % hour));
  const before = [calls.length, world.lines.length, world.invocations.length, world.alarms.history().length];
  await world.timeline.pass(watchedHours * hour);
  const bill = billOf({
    wiring: world.wiring,
    dashboards,
    hours: watchedHours,
    invocations: world.invocations.slice(before[2]),
    lines: world.lines.slice(before[1]),
    calls: calls.slice(before[0]),
  });
  return { world, bill, changes: world.alarms.history().slice(before[3]) };
}

/** The table of docs/deployment.md, by the first words of its rows. */
const documented = (() => {
  const [, section = ''] = readFileSync('docs/deployment.md', 'utf8').split('## What it costs at rest');
  const rows = [...section.matchAll(/^\| ([a-z3 ]+) \|.*\| ([\d.]+) \|$/gim)];
  return Object.fromEntries(rows.map(([, what = '', usd]) => [what, Number(usd)]));
})();

const asDocumented = (bill: Bill): Readonly<Record<string, number>> => {
  const names: Readonly<Record<keyof Bill, string>> = {
    alarms: 'alarms',
    dashboard: 'the dashboard of CloudWatch',
    polling: 'SQS',
    customMetrics: 'custom metrics',
    lambda: 'Lambda',
    keys: 'KMS',
    logs: 'logs',
    storage: 'S3',
    alarmReads: 'reads of the alarms',
  };
  const rounded = (usd: number): number => Math.round(usd * 100) / 100;
  const rows = (Object.keys(names) as (keyof Bill)[]).map((what) => [names[what], rounded(bill[what])]);
  return Object.fromEntries([...rows, ['all', rounded(totalOf(bill))]]);
};

// Users of others were hurt by metrics that are sent by default: 60 USD a month for a test
// (https://github.com/awspring/spring-cloud-aws/issues/873), 2,500 (https://github.com/aws-observability/aws-otel-collector/issues/1546),
// the largest part of a bill (https://github.com/ClimbAssist/ClimbAssistService/issues/18), and polls of empty queues
// (https://github.com/webiny/webiny-js/issues/3137, https://github.com/cityofaustin/atd-data-tech/issues/9383). Alarms became
// INSUFFICIENT_DATA and OK in turn (https://github.com/HHS/simpler-grants-gov/pull/1324), stayed so because an idle function sends no
// Errors (https://github.com/ministryofjustice/modernisation-platform-environments/pull/17107), or notified after a quiet weekend
// (https://github.com/runs-on/runs-on/pull/167).
it.each(Object.entries(worlds))(
  'a quiet month of a deployment %s costs at most 10 USD, at most 1 of it for custom metrics, and its alarms are OK and say nothing',
  { timeout: 400_000 },
  async (name, create) => {
    const { world, bill, changes } = await quietHours(create);
    expect(world.problems).toEqual([]);
    expect(bill.customMetrics).toBeLessThanOrEqual(1);
    expect(totalOf(bill)).toBeLessThanOrEqual(10);
    expect(changes).toEqual([]);
    for (const { alarmName } of world.wiring.alarms)
      expect(world.alarms.stateOf(alarmName), alarmName).toBe('OK');
    if (name.includes('etcd')) expect(documented).toEqual(asDocumented(bill));
  },
);

it('a metric counts once for each of its dimensions and each hour in which it has data', () => {
  const line = (minutes: number, names: readonly string[], dimensions: readonly string[][]) => ({
    _aws: {
      Timestamp: minutes * 60_000,
      CloudWatchMetrics: [
        { Namespace: 'Drover', Dimensions: dimensions, Metrics: names.map((Name) => ({ Name })) },
      ],
    },
    Cluster: 'drover',
    Role: `role-${minutes}`,
  });
  const one = line(0, ['Waits'], [['Cluster']]);
  expect(metricHoursOf([one, line(59, ['Waits'], [['Cluster']])])).toBe(1);
  expect(metricHoursOf([one, line(60, ['Waits'], [['Cluster']])])).toBe(2);
  expect(metricHoursOf([one, line(1, ['Waits'], [['Cluster'], ['Cluster', 'Role']])])).toBe(2);
  expect(metricHoursOf([line(1, ['Waits'], [['Role']]), line(2, ['Waits', 'Parked'], [['Role']])])).toBe(3);
  expect(metricHoursOf([{ message: 'pass' }])).toBe(0);
});
