import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import { listenForPeople } from '../people.ts';
import { deadLetterIn } from '../problems/problem-world.ts';
import { complaints, type Story } from './story.ts';

/** A dead letter is in the digest, which has read everything else: a warm pool, a schedule and a published credential among it. */
export const digest: Story = async (options) => {
  const world = createDroverWorld(options);
  const received = listenForPeople(world);
  await withWorkers(world, { size: 1 });
  await world.lambda.invoke('bootstrap-credential', {});
  world.account.autoScaling.operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 0 });
  const schedule = {
    autoScalingGroupName: 'workers',
    nodes: 1,
    expression: 'cron(0 12 * * ? *)',
    durationSeconds: 1200,
  };
  const { statusCode, body } = await callScaleApi(world, 'PUT', '/schedules/noon', schedule);
  deadLetterIn(world);
  await world.timeline.pass(20 * 60);
  const details = received().flatMap(({ detail }) => (detail.kind === 'problems' ? [detail] : []));
  const kinds = details.flatMap(({ problems = [] }) => problems.map(({ kind }) => kind));
  return [
    ...complaints(world),
    ...(statusCode === 201 ? [] : [body]),
    ...details.flatMap(({ unread = [] }) => unread),
    ...(kinds.join() === 'dead-letters' ? [] : [`the digest has: ${kinds.join()}`]),
  ];
};
