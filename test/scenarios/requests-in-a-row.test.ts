import { describe, expect, test } from 'vitest';
import { nodeUser } from '../../local/world/certificates/requests.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, run } from '../../local/world/workloads.ts';
import { askForCertificate } from '../support/certificates/kubelet.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { nodeNameOf } from '../support/observed-instance.ts';
import { recordRows } from '../support/requests-in-a-row.ts';

/** Lets time pass until the work is over. In new environments no pass knows what another one has read. */
async function passUntil(
  world: DroverWorld,
  isOver: () => boolean,
  { inNewEnvironments }: { readonly inNewEnvironments: boolean },
): Promise<void> {
  for (let seconds = 0; seconds < 300 && !isOver(); seconds += 1) {
    if (inNewEnvironments) world.lambda.recycle();
    await world.timeline.pass(1);
  }
  expect(isOver()).toBe(true);
}

/** The rows of the passes over a worker with one pod that leaves. */
async function rowsOfLeaving(inNewEnvironments: boolean) {
  const recorder = recordRows('node-leaving');
  const world = createDroverWorld({ weather: recorder.weather });
  const [instanceId = ''] = await withWorkers(world, { size: 2 });
  await run(world, deployment({ name: 'web', replicas: 2 }));
  recorder.start(world);
  terminate(world, instanceId, { replace: false });
  await passUntil(world, () => membersOf(world).length === 1, { inNewEnvironments });
  return recorder.passes();
}

/**
 * Each line is a row: requests that wait for each other's answers are in different rows, so a pass takes its rows times the time of an
 * answer, and has 26 s. A new row delays each pass while AWS or the API server is slow.
 */
describe('the requests in a row of', () => {
  const toMark = [
    'GET nodes/*',
    // It is sent before the mark, which records it: after a kill in between it is sent again.
    'events PutEvents',
    'PATCH nodes/*',
    'GET pods, POST events',
    'POST pods/*/eviction',
    'sqs ChangeMessageVisibilityBatch',
  ];
  const toEnd = ['events PutEvents', 'DELETE nodes/*', 'CompleteLifecycleAction'];

  test('a leave, each pass in a new environment', async () => {
    expect(await rowsOfLeaving(true)).toEqual([
      [
        'DescribeAutoScalingGroups, DescribeLifecycleHooks, ec2 DescribeInstances, ssm GetParameter',
        ...toMark,
      ],
      [
        'DescribeAutoScalingGroups, DescribeLifecycleHooks, ssm GetParameter',
        'GET nodes',
        'ec2 DescribeInstances',
        'GET pods',
        ...toEnd,
      ],
    ]);
  });

  test('a leave in one environment', async () => {
    expect(await rowsOfLeaving(false)).toEqual([
      [
        'DescribeAutoScalingGroups, DescribeLifecycleHooks, ec2 DescribeInstances, ssm GetParameter',
        ...toMark,
      ],
      ['GET nodes, GET pods', ...toEnd],
    ]);
  });

  test('a join, each pass in a new environment', async () => {
    const recorder = recordRows('node-joining');
    const world = await startJoiningWorld({ weather: recorder.weather });
    recorder.start(world);
    launchWorkers(world, 1);
    await passUntil(world, () => inService(world).length === 1, { inNewEnvironments: true });
    const first =
      '2 ssm GetParameter, DescribeAutoScalingGroups, DescribeLifecycleHooks, ec2 DescribeInstances';
    const search = '2 GET certificatesigningrequests, 3 GET nodes/*';
    const facts = 'DescribeAutoScalingGroups, ec2 DescribeInstances';
    const approval = 'PATCH certificatesigningrequests/*/approval';
    expect(recorder.passes()).toEqual([
      [first, search, 'GET nodes', 'sqs ChangeMessageVisibilityBatch'],
      [first, search, '2 GET nodes/*, GET nodes', facts, approval, 'sqs ChangeMessageVisibilityBatch'],
      [first, search, '2 GET nodes/*', facts, approval, 'CompleteLifecycleAction'],
    ]);
  });

  test('a run that approves a certificate, in a new environment', async () => {
    const recorder = recordRows('certificate-requests');
    const world = createDroverWorld({ weather: recorder.weather });
    const [instanceId = ''] = await withWorkers(world, { size: 2 });
    const node = nodeNameOf(world, instanceId);
    const verdict = await askForCertificate(world, {
      name: 'serving',
      user: nodeUser(node),
      signer: 'serving',
      subject: `O=system:nodes,CN=system:node:${node}`,
      dnsNames: [node],
    });
    recorder.start(world);
    await passUntil(world, () => verdict() === 'Approved', { inNewEnvironments: true });
    expect(recorder.passes()).toEqual([
      [
        'ssm GetParameter',
        '2 GET certificatesigningrequests',
        'GET nodes/*',
        'DescribeAutoScalingGroups, ec2 DescribeInstances',
        // The Node under the other name of the instance, which EC2 reported.
        'GET nodes/*',
        'PATCH certificatesigningrequests/*/approval',
      ],
    ]);
  });
});
