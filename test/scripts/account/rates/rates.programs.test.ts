import { openSandbox } from '@drover/cloud-sandbox/wire';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { startAccountCommand } from '../support/account-command.ts';

/** The slower it is, the less the calls themselves take of the time in which a bucket fills. */
const speed = 4;

/** An account with these limits, and the command that measures them. */
async function measured(changes: { readonly burst: number; readonly perSecond: number }) {
  const account = await openSandbox({
    speed,
    requestLimits: { autoScaling: { reads: { burst: 60, perSecond: 10 }, changes } },
    onFault: (fault) => expect.fail(String(fault)),
  });
  onTestFinished(() => account.close());
  const { doors, ...keys } = account;
  const place = { ...keys, endpoint: doors.aws.url, speed };
  const vpcs = () => account.cloud.account.ec2.operations.DescribeVpcs({}).Vpcs;
  return { vpcs, before: vpcs(), run: startAccountCommand(place, '--suite', 'rates', '--yes') };
}

test('Ctrl-C ends a measurement while it waits, and cleans up', async () => {
  const { vpcs, before, run } = await measured({ burst: 40, perSecond: 5 });
  await eventually(() => expect(run.ledger()).toContain('"event":"begin"'));
  run.child.kill('SIGINT');
  expect(await run.ended, run.text()).toBe(1);
  expect(run.text()).toMatch(/Interrupted: cleaning up.*Nothing is left/s);
  expect(run.ledger()).not.toContain('"event":"intent"');
  expect(vpcs()).toEqual(before);
  run.forget();
});

/** In virtual time a measurement is exact (`rates.test.ts`). Here a busy machine spends some of the time in which a bucket fills. */
const [burstShare, refillShare] = [0.3, 0.35];

const numberIn = (text: string, row: RegExp): readonly number[] =>
  (row.exec(text) ?? []).slice(1).map(Number);

test('the buckets of an account on the wire are found, and nothing is left', async () => {
  const { vpcs, before, run } = await measured({ burst: 40, perSecond: 5 });
  expect(await run.ended, run.text()).toBe(0);
  const row = (operation: string) =>
    numberIn(run.text(), new RegExp(`^${operation} +(\\d+), then ([\\d.]+)/s`, 'm'));
  const near = (value = 0, of: number, share: number) =>
    expect(Math.abs(value - of), run.text()).toBeLessThanOrEqual(share * of);
  const [reads, readsPerSecond] = row('DescribeAutoScalingGroups');
  near(reads, 60, burstShare);
  near(readsPerSecond, 10, refillShare);
  for (const operation of ['CompleteLifecycleAction', 'RecordLifecycleActionHeartbeat']) {
    const [burst, perSecond] = row(operation);
    near(burst, 40, burstShare);
    near(perSecond, 5, refillShare);
  }
  expect(run.text()).toMatch(/CompleteLifecycleAction .* RecordLifecycleActionHeartbeat, Terminate/);
  expect(run.text()).toMatch(/^DescribeAutoScalingGroups: measured .*set documentedLimits/m);
  expect(run.ledger()).not.toContain('"event":"intent"');
  expect(vpcs()).toEqual(before);
  run.forget();
});
