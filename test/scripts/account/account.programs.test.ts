import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox, type WireSandbox } from '@drover/cloud-sandbox/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';

const speed = 60;
const folder = 'reports/account';
let account: WireSandbox;

beforeAll(async () => {
  account = await openSandbox({ speed, onFault: (fault) => expect.fail(String(fault)) });
});
afterAll(() => account.close());

interface Started {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | string | null>;
}

function start(...flags: readonly string[]): Started {
  const { accessKeyId, secretAccessKey, region, doors } = account;
  const place = ['--region', region, '--endpoint', doors.aws.url, '--speed', String(speed)];
  const child = spawn(process.execPath, ['scripts/account/main.ts', ...place, ...flags], {
    env: { ...process.env, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null);
  return { child, text: () => text, ended };
}

/** What the account has beyond a new one. */
function left(): readonly unknown[] {
  const { ec2, autoScaling, sqs, ssm } = account.cloud.account;
  return [
    ...ec2.operations.DescribeVpcs({}).Vpcs.slice(1),
    ...ec2.operations.DescribeLaunchTemplates({}).LaunchTemplates,
    ...autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups,
    ...(sqs.operations.ListQueues({}).QueueUrls ?? []),
    ...(ssm.operations.DescribeParameters({}).Parameters ?? []),
  ];
}

const runIdIn = (text: string): string => /run ([0-9a-f]{8})$/m.exec(text)?.[1] ?? '';
const ledgerOf = (text: string): string => readFileSync(join(folder, `${runIdIn(text)}.jsonl`), 'utf8');

function forget(text: string): void {
  for (const file of readdirSync(folder)) if (file.startsWith(runIdIn(text))) rmSync(join(folder, file));
}

test('without --yes a run shows account, region and cost, and makes nothing', async () => {
  const run = start();
  expect(await run.ended).toBe(1);
  expect(run.text()).toMatch(/Account 123456789012, region eu-west-1.*costs at most \$\d.*say --yes/s);
  expect(left()).toEqual([]);
});

test('a run of some cases passes and leaves nothing', async () => {
  const run = start('--yes', '--only', 'default result|redrive policy removes|versions');
  expect(await run.ended, run.text()).toBe(0);
  expect(run.text()).toMatch(/Tests .*[1-9]\d* passed/);
  expect(ledgerOf(run.text()).trim().split('\n').at(-1)).toContain('"clean"');
  expect(left()).toEqual([]);
  forget(run.text());
});

test('Ctrl-C ends the cases, cleans up and ends with 1', async () => {
  const run = start('--yes', '--only', 'instance');
  await eventually(() => expect(ledgerOf(run.text())).toContain('"made","kind":"Auto Scaling group"'));
  run.child.kill('SIGINT');
  expect(await run.ended, run.text()).toBe(1);
  expect(run.text()).toMatch(/Interrupted: cleaning up.*Nothing is left/s);
  expect(left()).toEqual([]);
  forget(run.text());
});

test('a killed run takes its cases with it, and a sweep from elsewhere proves that nothing is left', async () => {
  const run = start('--yes', '--only', 'instance');
  await eventually(() => expect(ledgerOf(run.text())).toContain('"made","kind":"Auto Scaling group"'));
  run.child.kill('SIGKILL');
  expect(await run.ended).toBe('SIGKILL');
  expect(left()).not.toEqual([]);
  const listing = start('--sweep');
  expect(await listing.ended).toBe(1);
  expect(listing.text()).toMatch(/Auto Scaling group drover-account-.*say --yes/s);
  expect(left()).not.toEqual([]);
  const sweep = start('--sweep', '--yes');
  expect(await sweep.ended, sweep.text()).toBe(0);
  expect(left()).toEqual([]);
  forget(run.text());
});
