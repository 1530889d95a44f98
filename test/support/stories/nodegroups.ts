import { isDeepStrictEqual } from 'node:util';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../../local/world/holds.ts';
import { httpEvent } from '../../../local/world/http-event.ts';
import type { HttpResult } from '../../../shared/scale-api/http-call.ts';
import { withNodegroup } from '../eks-nodegroup.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A managed node group of EKS is held, and then scaled and read through the scale API. */
export const nodegroups: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const group = await withNodegroup(world);
  putHold(world, { group, nodes: 2, minutes: 10 });
  const late = await endOf(() =>
    world.timeline.until(() => complaints(world).length > 0 || serving(world, group) === 2, {
      withinSeconds: 400,
      what: 'the nodes of the hold',
    }),
  );
  await world.timeline.pass(60);
  const callerArn = 'arn:aws:iam::123456789012:user/pipeline';
  const call = async (method: string, path: string, body?: object): Promise<HttpResult | undefined> => {
    const event = httpEvent(method, path, { callerArn, ...(body && { body: JSON.stringify(body) }) });
    const outcome = await world.lambda.invoke('scale-api', event);
    return outcome.kind === 'succeeded' ? (outcome.result as HttpResult) : undefined;
  };
  const scaled = await call('PUT', `/groups/${group}/capacity`, { desiredCapacity: 3 });
  await world.timeline.pass(60);
  const read = await call('GET', `/groups/${group}`);
  const shown = JSON.parse(read?.body ?? '{}').nodegroup;
  return [
    ...complaints(world),
    ...late,
    ...(scaled?.statusCode === 202 && boundsOf(world, group).desiredCapacity === 3
      ? []
      : [`scaling the node group was answered with ${scaled?.statusCode}`]),
    ...(isDeepStrictEqual(shown?.status, 'ACTIVE')
      ? []
      : [`the node group is shown as ${JSON.stringify(shown)}`]),
  ];
};
