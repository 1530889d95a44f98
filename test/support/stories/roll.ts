import { isDeepStrictEqual } from 'node:util';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { httpEvent } from '../../../local/world/http-event.ts';
import { newVersion, putRoll, putSeen, rollNodes, seenOf, versionsOf } from '../../../local/world/rolls.ts';
import { budget, deployment, run } from '../../../local/world/workloads.ts';
import { keptAfterEndSeconds } from '../../../shared/roll/roll.ts';
import type { HttpResult } from '../../../shared/scale-api/http-call.ts';
import { complaints, endOf, type Story } from './story.ts';

/** Two workers under a budget are replaced by those of a new version. */
export const roll: Story = (options) => playRoll(options, {});

/** The same in a group that launches before it terminates, with an alarm that would stop the roll. A message is not understood meanwhile. */
export const rollLaunchingFirst: Story = (options) =>
  playRoll(options, { InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 } }, [
    'drover-dev-failed-passes',
  ]);

/** The parameters of a roll that ended a week ago are deleted. */
export const rollEnded: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const target = newVersion(world, 'ami-0000000000000new0');
  const since = world.clock.now() - keptAfterEndSeconds * 1000;
  const { startedAt } = putRoll(world, { workers: target }, { startedAt: since });
  putSeen(world, { startedAt, state: 'done', reason: 'no old instance is left', since, told: [] });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || seenOf(world) === undefined, {
      withinSeconds: 1200,
      what: 'the end of its parameters',
    }),
  );
  return [...complaints(world), ...late];
};

/** A pipeline begins a roll through the scale API under the name of one that has ended, pauses it and aborts it. */
export const rollsOverHttp: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const { startedAt } = putRoll(world, { workers: newVersion(world, 'ami-0000000000000new0') });
  putSeen(world, { startedAt, state: 'done', reason: 'no old instance is left', since: startedAt, told: [] });
  await world.timeline.pass(1);
  const callerArn = 'arn:aws:iam::123456789012:user/pipeline';
  const statuses: unknown[] = [];
  for (const [method, path, body] of [
    ['GET', '/rolls', undefined],
    ['PUT', '/rolls/june', { groups: ['workers'] }],
    ['PATCH', '/rolls/june', { wanted: 'paused' }],
    ['PATCH', '/rolls/june', { wanted: 'aborted' }],
    ['GET', '/rolls/june', undefined],
  ] as const) {
    const event = httpEvent(method, path, { callerArn, ...(body && { body: JSON.stringify(body) }) });
    const outcome = await world.lambda.invoke('scale-api', event);
    statuses.push(outcome.kind === 'succeeded' ? (outcome.result as HttpResult).statusCode : outcome.kind);
  }
  const expected = [200, 201, 200, 200, 200];
  return [
    ...complaints(world),
    ...(isDeepStrictEqual(statuses, expected) ? [] : [`answers ${statuses.join(', ')}`]),
  ];
};

async function playRoll(
  options: Parameters<Story>[0],
  settings: NonNullable<Parameters<typeof withWorkers>[1]['settings']>,
  stopOn: readonly string[] = [],
): Promise<readonly string[]> {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 2, settings });
  await run(world, deployment({ name: 'web', replicas: 4 }), budget('web', { maxUnavailable: 1 }));
  sendPoison(world);
  const target = newVersion(world, 'ami-0000000000000new0');
  putRoll(world, { workers: target }, { bakeSeconds: 60, stopOn });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || seenOf(world)?.state === 'done', {
      withinSeconds: 3600,
      what: 'the end of the roll',
    }),
  );
  if (late.length > 0 || complaints(world).length > 0) return [...complaints(world), ...late];
  const old = versionsOf(world).filter((version) => version !== target.version);
  await world.timeline.pass(60);
  return [
    ...complaints(world),
    ...old.map((version) => `an instance of version ${version} is left`),
    ...(isParked(world) ? [] : ['what was not understood is not in the dead-letter queue']),
    ...rollNodes(world).map((name) => `${name} is still marked or tainted`),
  ];
}

function sendPoison({ account: { sqs } }: DroverWorld): void {
  const name = sqs.controls.queueNames().find((one) => /-RollQueue.fifo$/.test(one)) ?? '';
  sqs.controls.send(name, {
    MessageBody: 'hello',
    MessageGroupId: 'hello',
    MessageDeduplicationId: 'hello',
  });
}

const isParked = ({ account: { sqs } }: DroverWorld): boolean => {
  const name = sqs.controls.queueNames().find((one) => /-RollDeadLetterQueue.fifo$/.test(one)) ?? '';
  return sqs.controls.peek(name).length === 1;
};
