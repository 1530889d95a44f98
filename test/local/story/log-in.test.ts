import { expect, test } from 'vitest';
import { createIdentityStory } from '../../../local/story/identity-story.ts';
import { logIn, makeWebhookSecret, mapRole } from '../../../local/story/log-in.ts';
import { createDroverWorld } from '../../../local/world/drover-world.ts';
import { calmView } from './views.ts';

test('on a simulated account the story comes to its end in time, and leaves no entry behind', async () => {
  const world = createDroverWorld();
  const secret = makeWebhookSecret(world);
  const said: string[] = [];
  const story = createIdentityStory({
    say: (text) => said.push(text),
    logIn: () => logIn(world, secret),
    map: (isMapped) => mapRole(world, isMapped),
    isQuiet: () => true,
    onProblem: (problem) => said.push(String(problem)),
  });
  for (let seconds = 0; seconds < 120 && !story.hasEnded(); seconds += 5) {
    story.look({ ...calmView, at: world.clock.now() });
    await world.timeline.pass(5);
  }
  expect(said).toEqual([
    expect.stringContaining('aws-auth gets an entry'),
    expect.stringContaining('kubectl'),
    expect.stringContaining('Ann is dev:ann in the cluster'),
    expect.stringContaining('no access to the cluster any more'),
  ]);
  expect(world.kubernetes.store.of('configmaps').get('kube-system', 'aws-auth')).toBeUndefined();
  expect(world.problems).toEqual([]);
});

test('an answer that is neither yes nor no is an error', async () => {
  const world = createDroverWorld();
  await expect(logIn(world, 'no secret')).rejects.toThrow('the token webhook answered 503');
});
