import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Operations without an example in AWS's documentation, and why. */
const withoutExample: ReadonlyMap<string, string> = new Map([
  ...[
    'GetAccountSettings',
    'GetFunctionConcurrency',
    'GetQueueAttributes',
    'ListQueues',
    'ListRules',
    'ListTargetsByRule',
    'TestEventPattern',
  ].map(
    (name) => [name, 'only drover doctor asks it, and its answer changes nothing: not compared yet'] as const,
  ),
  [
    'DescribeScalingActivities',
    'its example has no return, no abandoned launch and no health check, which are what Drover reads of it: not compared yet',
  ],
  [
    'DescribeScheduledActions',
    'drover status and the scale API show it, and no pass reads it; its example is of the CLI: not compared yet',
  ],
  ['GetFunctionConfiguration', 'only drover kubeconfig asks it, for one variable: not compared yet'],
  ['AssumeRole', 'only drover token get asks it; test/cli/token signs with what it gives'],
  ['FilterLogEvents', 'no page has an example of it; lines are judged again by a schema: not compared yet'],
  ['GetConsoleOutput', 'only the log of node-joining shows it, and it decides nothing: not compared yet'],
  ['GetParameters', 'its members are those of GetParameter, in a list: not compared yet'],
  ['GetParametersByPath', 'its members are those of GetParameter, in a list: not compared yet'],
  [
    'RecordLifecycleActionHeartbeat',
    'its page has no example; its members are those of CompleteLifecycleAction',
  ],
  ...['GetBucketEncryption', 'GetPublicAccessBlock', 'PutObject'].map(
    (name) =>
      [
        name,
        'only drover pki upload asks it, and reads one algorithm, four booleans and nothing: not compared yet',
      ] as const,
  ),
  ...['DescribeNodegroup', 'UpdateNodegroupConfig'].map(
    (name) =>
      [name, 'its example shows no sizes; the contract of the sandbox compares it with an emulator'] as const,
  ),
  ...['UpdateNodegroupVersion', 'DescribeUpdate', 'ListUpdates'].map(
    (name) => [name, 'only drover roll asks it, for a node group of EKS: not compared yet'] as const,
  ),
  ...['DescribeAccessEntry', 'DescribeSubnets', 'DescribeVpcs', 'GetRole', 'ListAccessEntries'].map(
    (name) => [name, 'only drover doctor asks it, and its answer changes nothing: not compared yet'] as const,
  ),
  [
    'DescribeCluster',
    'only drover adopt asks it, and of its answer reads the authentication mode: not compared yet',
  ],
  [
    'DescribeInstanceAttribute',
    'only drover user-data explain asks it, and of its answer reads the user data: not compared yet',
  ],
  ['DeleteQueue', 'only drover uninstall calls it, and reads nothing of its answer: not compared yet'],
  ['CreateAccessEntry', 'only drover adopt calls it, and reads nothing of its answer: not compared yet'],
  ['DeleteAccessEntry', 'only drover uninstall calls it, and reads nothing of its answer: not compared yet'],
  ['SetAlarmState', 'only drover test-alarm calls it, and reads nothing of its answer: not compared yet'],
  ['DescribeAlarmHistory', 'only drover test-alarm asks it: not compared yet'],
  ...['DescribeRule', 'ListRuleNamesByTarget'].map(
    (name) =>
      [
        name,
        'only drover migrate nth asks it, for what is removed by hand at the end: not compared yet',
      ] as const,
  ),
  ['CreateTags', 'only drover migrate nth calls it, and reads nothing of its answer: not compared yet'],
  ['DescribeInstanceRefreshes', 'only the ids and states of refreshes are read: not compared yet'],
  ['DescribeAlarms', 'only the names and states of alarms are read: not compared yet'],
  ['GetInstanceProfile', 'only the ARN of its role is read: not compared yet'],
  ['ListInstanceProfilesForRole', 'only ARNs are read, as of GetInstanceProfile: not compared yet'],
  [
    'GetOutboundWebIdentityFederationInfo',
    'only the CLI asks it, and only the URL is read: not compared yet',
  ],
  [
    'GetWebIdentityToken',
    'the token of its example is cut short; test/contract/identity has real API servers read ours',
  ],
  ...[
    'ChangeMessageVisibility',
    'DeleteMessage',
    'ListDeadLetterSourceQueues',
    'ReceiveMessage',
    'SendMessage',
  ].map((name) => [name, 'the contract of the sandbox compares it with emulators of SQS'] as const),
  ...[
    'CreateLaunchTemplateVersion',
    'DescribeInstanceTypes',
    'DescribeLaunchTemplateVersions',
    'DescribeParameters',
  ].map((name) => [name, 'the contract of the sandbox compares it with an emulator'] as const),
  [
    'PutEvents',
    'its answer is read only for failures: test/shared/aws/event-bus.test.ts has each kind of answer',
  ],
  ['SetInstanceHealth', 'its page has no example'],
  [
    'UpdateAutoScalingGroup',
    'its example answers with nothing, and its request has members that Drover never sends',
  ],
  ...[
    'CreateSchedule',
    'DeleteSchedule',
    'GetSchedule',
    'GetScheduleGroup',
    'ListSchedules',
    'ListTagsForResource',
    'UpdateSchedule',
  ].map(
    (name) =>
      [
        name,
        'no page of EventBridge Scheduler has an example; the contract of the sandbox compares it with an emulator',
      ] as const,
  ),
]);

/** The commands and paginators of the SDK in Drover's adapters and in its CLI, and the operation that its CLI signs itself. */
function operationsOfDrover(): readonly string[] {
  const sources = globSync('{shared,cli}/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const commands = sources.flatMap((source) => [
    ...source.matchAll(/new ([A-Z]\w+)Command\(/g),
    ...source.matchAll(/\bpaginate([A-Z]\w+)\(/g),
  ]);
  return [...new Set([...commands.map(([, name = '']) => name), 'GetCallerIdentity'])].sort();
}

/** The operations whose documented examples the sandbox reads and writes. */
function documentedOperations(): ReadonlySet<string> {
  const folder = 'packages/cloud-sandbox/test/contract/documented-examples/examples';
  const sources = globSync(`${folder}/*.ts`, { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const names = sources.flatMap((source) => [...source.matchAll(/'([A-Z]\w+)'/g)]);
  return new Set(names.map(([, name = '']) => name));
}

test('every operation that Drover calls is in the documented examples, or has a reason why not', () => {
  const operations = operationsOfDrover();
  const documented = documentedOperations();
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter((name) => !documented.has(name))).toEqual([...withoutExample.keys()].sort());
});
