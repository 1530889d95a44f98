import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { untilWhole } from '../../../local/world/etcd/expectations.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import { status } from '../../../shared/scale-api/schemas/answers/status.ts';
import { complaints, endOf, type Story } from './story.ts';

/** With a credential that is published and an etcd that is whole, the status knows all of its parts. */
export const statusOverHttp: Story = async (options) => {
  const world = createEtcdDroverWorld({ ...options, snapshotBucket: 'snapshots' });
  addEtcdGroup(world, { size: 3 });
  const late = await endOf(async () => {
    await untilWhole(world, 3, { withinSeconds: 900 });
  });
  await world.lambda.invoke('bootstrap-credential', {});
  const { body } = await callScaleApi(world, 'GET', '/status');
  const { state, unknown, credentials, etcd } = status.parse(JSON.parse(body));
  const isWhole = state === 'ok' && credentials.length === 1 && etcd.members?.length === 3;
  return [
    ...late,
    ...complaints(world),
    ...(isWhole ? [] : [`the status is ${state}: ${unknown.join('; ')}`]),
  ];
};
