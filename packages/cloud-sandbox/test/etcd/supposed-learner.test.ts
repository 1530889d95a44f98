import { expect, it } from 'vitest';
import { createZoneWorld } from './support.ts';

it('answers as a learner, and serves no client, while the list says that it votes, until it starts again', async () => {
  const { publish, boot, pass, post, world } = createZoneWorld();
  const names = ['a', 'b', 'c'];
  publish(names);
  for (const name of names) boot(name);
  await pass(5);
  const put = async () => (await post('b', '/v3/kv/put', { key: 'YQ==', value: 'YQ==' }, 5000)).body;
  const status = async () => JSON.parse((await post('b', '/v3/maintenance/status', {}, 1000)).body) as object;
  world.supposeLearner('b');
  expect(await status()).toMatchObject({ isLearner: true });
  expect(await put()).toContain('not supported for learner');
  expect(world.view('b')).toMatchObject({ kind: 'running', serves: false });
  const list = JSON.parse((await post('a', '/v3/cluster/member/list', {}, 1000)).body) as {
    readonly members: readonly object[];
  };
  expect(list.members.filter((member) => 'isLearner' in member)).toEqual([]);
  world.kill('b');
  world.start('b');
  await pass(5);
  expect(await status()).not.toHaveProperty('isLearner');
  expect(await put()).not.toContain('learner');
});
