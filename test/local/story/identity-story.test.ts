import { expect, test } from 'vitest';
import { createIdentityStory } from '../../../local/story/identity-story.ts';
import { calmView } from './views.ts';

function tell(answers: readonly (string | undefined | Error)[]) {
  const said: string[] = [];
  const problems: unknown[] = [];
  const mapped: boolean[] = [];
  let asked = 0;
  let isQuiet = false;
  let at = calmView.at;
  const story = createIdentityStory({
    say: (text) => said.push(text),
    map: (isMapped) => mapped.push(isMapped),
    logIn: async () => {
      const answer = answers[asked];
      asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    isQuiet: () => isQuiet,
    onProblem: (problem) => problems.push(problem),
  });
  return {
    story,
    said,
    problems,
    mapped,
    asked: () => asked,
    quieten: () => {
      isQuiet = true;
    },
    look: async (seconds: number) => {
      at += seconds * 1000;
      story.look({ ...calmView, at });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('the story waits for the one before', async () => {
  const { look, mapped, quieten, asked } = tell([undefined]);
  await look(1);
  expect([mapped, asked()]).toEqual([[], 0]);
  quieten();
  await look(1);
  expect([mapped, asked()]).toEqual([[true], 1]);
});

test('a user gets access by the mapping, loses it with the mapping, and is asked about every five seconds', async () => {
  const { look, said, mapped, quieten, story, asked } = tell([undefined, 'dev:ann', 'dev:ann', undefined]);
  quieten();
  await look(0);
  await look(1);
  expect(asked()).toBe(1);
  await look(4);
  expect(said.at(-1)).toContain('Ann is dev:ann in the cluster');
  expect(mapped).toEqual([true, false]);
  await look(5);
  expect(story.hasEnded()).toBe(false);
  await look(5);
  expect(said.at(-1)).toContain('no access to the cluster any more');
  expect([story.hasEnded(), asked()]).toEqual([true, 4]);
  await look(5);
  expect(asked()).toBe(4);
});

test('a webhook that does not answer is a problem, and ends the story', async () => {
  const { look, quieten, story, problems } = tell([new Error('503')]);
  quieten();
  await look(0);
  expect(story.hasEnded()).toBe(true);
  expect(problems).toEqual([new Error('503')]);
});
