import { isDeepStrictEqual } from 'node:util';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { boundsOf, holdParameters, putHold, serving } from '../../../local/world/holds.ts';
import { httpEvent } from '../../../local/world/http-event.ts';
import type { HttpResult } from '../../../shared/scale-api/http-call.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A hold that begins and ends: its nodes are in service, and afterwards the group has its own bounds. */
export const holds: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const { sqs } = world.account;
  const queueNamed = (pattern: RegExp): string =>
    sqs.controls.queueNames().find((name) => pattern.test(name)) ?? '';
  sqs.controls.send(queueNamed(/-CapacityQueue.fifo$/), {
    MessageBody: 'hello',
    MessageGroupId: 'hello',
    MessageDeduplicationId: 'hello',
  });
  const before = boundsOf(world);
  putHold(world, { nodes: 3, minutes: 10 });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world) === 3, {
      withinSeconds: 400,
      what: 'the nodes of the hold',
    }),
  );
  const unrestored = await endOf(() =>
    world.timeline.until(
      () =>
        complaints(world).length > 0 ||
        (boundsOf(world).minSize === before.minSize && holdParameters(world).length === 0),
      { withinSeconds: 1800, what: 'the end of the hold' },
    ),
  );
  const parked = sqs.controls.peek(queueNamed(/-CapacityDeadLetterQueue.fifo$/)).length === 1;
  const unparked = parked ? [] : ['what was not understood is not in the dead-letter queue'];
  return [...unparked, ...complaints(world), ...late, ...unrestored];
};

/** A pipeline makes, reads, extends and ends a hold through the scale API. */
export const holdsOverHttp: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const inHours = (hours: number) => new Date(world.clock.now() + hours * 3_600_000).toISOString();
  const callerArn = 'arn:aws:iam::123456789012:user/pipeline';
  const statuses: unknown[] = [];
  for (const [method, path, body] of [
    ['PUT', '/groups/workers/holds/sale', { nodes: 2, until: inHours(1) }],
    ['PATCH', '/groups/workers/holds/sale', { until: inHours(2) }],
    ['GET', '/holds', undefined],
    ['DELETE', '/groups/workers/holds/sale', undefined],
  ] as const) {
    const event = httpEvent(method, path, { callerArn, ...(body && { body: JSON.stringify(body) }) });
    const outcome = await world.lambda.invoke('scale-api', event);
    statuses.push(outcome.kind === 'succeeded' ? (outcome.result as HttpResult).statusCode : outcome.kind);
  }
  const expected = [201, 200, 200, 204];
  return isDeepStrictEqual(statuses, expected) ? [] : [`answers ${statuses.join(', ')}`];
};
