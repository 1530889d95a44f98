import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '@drover/cloud-sandbox/real/account/answers.ts';
import { compareCase } from '@drover/cloud-sandbox/real/account/compare-case.ts';
import { accountAreas } from '@drover/cloud-sandbox/test/contract/support/account-areas.ts';
import { replayCase } from '@drover/cloud-sandbox/test/contract/support/replay.ts';
import { openSandbox, type WireSandbox } from '@drover/cloud-sandbox/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite } from '../../../scripts/account/run-suite.ts';
import { suites } from '../../../scripts/account/suites.ts';
import { eventually } from '../../support/eventually.ts';
import { fixturesIn, startAccountCommand } from './support/account-command.ts';

const speed = 60;
let account: WireSandbox;

beforeAll(async () => {
  account = await openSandbox({ speed, onFault: (fault) => expect.fail(String(fault)) });
});
afterAll(() => account.close());

const startSuite = (suite: string, ...flags: readonly string[]) => {
  const { doors, ...keys } = account;
  return startAccountCommand({ ...keys, endpoint: doors.aws.url, speed }, '--suite', suite, ...flags);
};

const start = (...flags: readonly string[]) => startSuite('hooks', ...flags);

/** What the account has beyond a new one. */
function left(): readonly unknown[] {
  const { ec2, autoScaling, events, iamApi, scheduler, sqs, ssm } = account.cloud.account;
  return [
    ...ec2.operations.DescribeVpcs({}).Vpcs.slice(1),
    ...ec2.operations.DescribeLaunchTemplates({}).LaunchTemplates,
    ...autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups,
    ...events.operations.ListRules({}).Rules,
    ...iamApi.operations.ListRoles({}).Roles,
    ...scheduler.operations.ListScheduleGroups().ScheduleGroups.slice(1),
    ...scheduler.operations.ListSchedules({}).Schedules,
    ...(sqs.operations.ListQueues({}).QueueUrls ?? []),
    ...(ssm.operations.DescribeParameters({}).Parameters ?? []),
  ];
}

test('without --yes a run shows account, region and cost, and makes nothing', async () => {
  const run = start();
  expect(await run.ended).toBe(1);
  expect(run.text()).toMatch(/Account 123456789012, region eu-west-1.*costs at most \$\d.*say --yes/s);
  expect(left()).toEqual([]);
});

test('a run of some cases passes, leaves nothing, and does not differ from the sandbox', async () => {
  const cases =
    'default result|redrive policy removes|versions|sends a lifecycle action|leaves a warm pool|schedule for one time|local time';
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  const run = start('--yes', '--compare', '--fixtures', folder, '--only', cases);
  expect(await run.ended, run.text()).toBe(0);
  expect(run.text()).toMatch(/Tests .*[1-9]\d* passed/);
  expect(run.answers()).toContain('"operation":"EC2 Instance-terminate Lifecycle Action"');
  expect(run.text()).toContain('No field, type or error differs from the sandbox');
  expect(run.ledger().trim().split('\n').at(-1)).toContain('"clean"');
  expect(left()).toEqual([]);
  expect(await findingsIn(folder)).toEqual([]);
  run.forget();
  rmSync(folder, { recursive: true });
});

test('the suite of etcd groups passes on the wire, leaves nothing, and has the fixtures of the sandbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  const run = startSuite('etcd', '--yes', '--fixtures', folder);
  expect(await run.ended, run.text()).toBe(0);
  expect(run.text()).toMatch(/5 passed/);
  expect(left()).toEqual([]);
  expect(await findingsIn(folder)).toEqual([]);
  run.forget();
  rmSync(folder, { recursive: true });
});

/** How the fixtures of a folder differ from the sandbox on virtual time. */
async function findingsIn(folder: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { area, cases } of fixturesIn(folder))
    for (const [sentence, answers] of Object.entries(cases)) {
      const known = accountAreas.find((one) => one.area === area);
      if (known === undefined) throw new Error(`there is no contract ${area}`);
      findings.push(...compareCase(answers, await replayCase(known, sentence)));
    }
  return findings;
}

test('Ctrl-C ends the cases, cleans up and ends with 1, also if npm passes the signal on that the terminal has sent', async () => {
  const run = start('--yes', '--only', 'instance');
  await eventually(() => expect(run.ledger()).toContain('"made","kind":"Auto Scaling group"'));
  run.child.kill('SIGINT');
  await sleep(5);
  run.child.kill('SIGINT');
  expect(await run.ended, run.text()).toBe(1);
  expect(run.text()).toMatch(/Interrupted: cleaning up.*Nothing is left/s);
  expect(left()).toEqual([]);
  run.forget();
});

test('a second Ctrl-C a while later ends a run at once, which prints the command that removes the rest', async () => {
  // The clean-up waits for longer than the test does.
  const run = start('--yes', '--only', 'instance', '--speed', '6');
  await eventually(() => expect(run.ledger()).toContain('"made","kind":"Auto Scaling group"'));
  run.child.kill('SIGINT');
  await sleep(1500);
  run.child.kill('SIGINT');
  expect(await run.ended, run.text()).toBe(130);
  const id = /run ([0-9a-f]{8})$/m.exec(run.text())?.[1];
  const place = `--run ${id} --region ${account.region} --endpoint ${account.doors.aws.url} --speed 6`;
  expect(run.text()).toContain(`Not cleaned up. Run: npm run account -- --sweep ${place} --yes\n`);
  const sweep = start('--sweep', '--yes');
  expect(await sweep.ended, sweep.text()).toBe(0);
  run.forget();
});

test('a run whose reader has gone cleans up all the same', async () => {
  const run = start('--yes', '--only', 'instance');
  await eventually(() => expect(run.ledger()).toContain('"made","kind":"Auto Scaling group"'));
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(1);
  expect(run.ledger().trim().split('\n').at(-1)).toContain('"clean"');
  expect(left()).toEqual([]);
  run.forget();
});

test('a profile that does not exist is refused, whatever other credentials there are', async () => {
  const none = join(tmpdir(), 'no-such-file');
  const { doors, ...keys } = account;
  const environment = { AWS_CONFIG_FILE: none, AWS_SHARED_CREDENTIALS_FILE: none };
  const place = { ...keys, endpoint: doors.aws.url, speed, environment };
  const run = startAccountCommand(place, '--suite', 'hooks', '--profile', 'sandbx');
  expect(await run.ended).toBe(1);
  expect(run.text()).toMatch(/^Refused: profile sandbx is in neither file/);
});

test('the cases of a run have the credentials of its profile, not those of the environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  const file = join(folder, 'credentials');
  const { doors, accessKeyId, secretAccessKey, region } = account;
  writeFileSync(
    file,
    `[sandbox]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
  );
  const environment = { AWS_CONFIG_FILE: join(folder, 'config'), AWS_SHARED_CREDENTIALS_FILE: file };
  const others = { accessKeyId: 'AKIAOTHERS', secretAccessKey: 'x' };
  const place = { ...others, region, endpoint: doors.aws.url, speed, environment };
  const run = startAccountCommand(
    place,
    '--suite',
    'hooks',
    '--profile',
    'sandbox',
    '--yes',
    '--only',
    'labels? ',
  );
  expect(await run.ended, run.text()).toBe(0);
  expect(run.text()).toMatch(/Tests .*[1-9]\d* passed/);
  run.forget();
  rmSync(folder, { recursive: true });
});

test('a killed run takes its cases with it, and a sweep from elsewhere proves that nothing is left', async () => {
  const run = start('--yes', '--only', 'instance');
  await eventually(() => expect(run.ledger()).toContain('"made","kind":"Auto Scaling group"'));
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
  run.forget();
});

test('a suite that takes longer than its plan says is ended, with its workers', async () => {
  const [suite] = suites;
  if (suite === undefined) throw new Error('there is no suite');
  const fileFor = (name: string): string => join(mkdtempSync(join(tmpdir(), 'account-')), name);
  const settings = {
    run: 'abcd1234',
    region: 'eu-west-1',
    endpoint: account.doors.aws.url,
    speed,
    accountId: '123456789012',
    vpcId: 'vpc-1',
    imageId: 'ami-1',
    instanceType: 't4g.nano',
    ledger: fileFor('ledger'),
    answers: fileFor('answers'),
    report: fileFor('report'),
  };
  const { accessKeyId, secretAccessKey } = account;
  const credentials = { accessKeyId, secretAccessKey };
  const { signal } = new AbortController();
  const options = { settings, signal, quiet: true, credentials };
  const failures = await runSuite({ ...suite, minutes: 0.05 }, options);
  expect(failures).toEqual(['the suite was ended after 0.05 minutes']);
});
