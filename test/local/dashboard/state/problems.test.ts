import { expect, it } from 'vitest';
import { dashboardState } from '../../../../local/dashboard/state/dashboard-state.ts';
import { tokenUser } from '../../../../local/world/certificates/requests.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../../local/world/drover-world.ts';
import { request } from '../../../../local/world/workloads.ts';
import { headlineOf } from '../../../../ui/state/headline.ts';
import { operatorOf } from '../../../cli/operator.ts';
import { askForCertificate } from '../../../support/certificates/kubelet.ts';
import { nodeNameOf } from '../../../support/observed-instance.ts';

const pageOf = (world: DroverWorld) =>
  dashboardState(world, { passes: [], news: [], now: world.clock.now() });

it('the sandbox’s page begins with a contested bootstrap token, which is red', async () => {
  const world = createDroverWorld();
  world.alarms.start();
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  // Silence alarms until each function has run once.
  await world.timeline.pass(3700);
  expect(pageOf(world).problems).toEqual([]);
  const subject = `O=system:nodes,CN=system:node:${nodeNameOf(world, instanceId)}`;
  await askForCertificate(world, { name: 'stolen', user: tokenUser, signer: 'client', subject });
  await world.timeline.pass(700);
  const page = pageOf(world);
  expect(page.problems).toMatchObject([
    { kind: 'certificate-conflict', severity: 'critical', alarm: 'certificate-conflicts' },
  ]);
  const { tone, text, more } = headlineOf(page);
  expect({ tone, text }).toEqual({ tone: 'bad', text: expect.stringContaining('stolen bootstrap token') });
  // The alarm of the same condition is not a second statement.
  expect(more.map((statement) => statement.text).join()).not.toContain('alarm');
});

it('the sandbox’s page shows the problems of groups and queues as drover status does, in its order', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, hook: undefined, tags: { 'drover.dev/force': 'perhaps' } });
  const { controls } = world.account.sqs;
  const queue = controls.queueNames().find((name) => name.includes('InboxDeadLetterQueue')) ?? '';
  controls.send(queue, { MessageBody: '{}' });
  const shown = pageOf(world).problems.map(({ kind, message, command }) => ({ kind, message, command }));
  expect(shown.map(({ kind }) => kind)).toEqual(['dead-letters', 'hook', 'tag']);
  const { out } = await operatorOf(world)('status --json');
  expect(JSON.parse(out)).toMatchObject({ problems: shown });
});

it('the sandbox’s page shows an instance in service without a Node, which has no alarm', async () => {
  const world = createDroverWorld();
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  world.kubelets.get(instanceId)?.stop();
  await request(world, 'DELETE', `/api/v1/nodes/${nodeNameOf(world, instanceId)}`);
  await world.timeline.pass(1800);
  expect(pageOf(world).problems).toMatchObject([{ kind: 'no-node', subject: instanceId }]);
});

it('the sandbox’s page shows Drover’s hook on a group that is not managed, and not a group of someone else', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, tags: { 'drover.dev/role': 'wroker' } });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'foreign', clusterName: 'other' });
  const shown = pageOf(world).problems.map(({ kind, subject }) => ({ kind, subject }));
  expect(shown).toEqual([
    { kind: 'hook', subject: 'workers' },
    { kind: 'tag', subject: 'workers' },
  ]);
});
