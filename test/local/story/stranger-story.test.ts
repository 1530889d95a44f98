import { expect, test } from 'vitest';
import { createStrangerStory } from '../../../local/story/stranger-story.ts';
import { calmView } from './views.ts';

function tell(ask: (nodeName: string) => Promise<string> = async () => 'stranger') {
  const said: string[] = [];
  const asked: string[] = [];
  const problems: unknown[] = [];
  let isQuiet = false;
  const story = createStrangerStory({
    say: (text) => said.push(text),
    askWithStolenToken: (nodeName) => {
      asked.push(nodeName);
      return ask(nodeName);
    },
    isQuiet: () => isQuiet,
    onProblem: (problem) => problems.push(problem),
  });
  return {
    story,
    said,
    asked,
    problems,
    quieten: () => {
      isQuiet = true;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const request = {
  name: 'stranger',
  requester: 'system:bootstrap:a',
  kind: 'client',
  nodeName: calmView.nodes[0]?.name ?? '',
} as const;

test('the stranger waits for the story before, and asks once for the name of a node that runs', async () => {
  const { story, asked, quieten } = tell();
  story.look(calmView);
  expect(asked).toEqual([]);
  quieten();
  story.look(calmView);
  story.look(calmView);
  expect(asked).toEqual([calmView.nodes[0]?.name]);
});

test.each([
  ['a request that waits for a manual decision', request, 'is not approved and needs a manual decision'],
  [
    'a denied request',
    { ...request, decision: { type: 'Denied', reason: 'DroverDenied', message: '' } },
    'is denied',
  ],
])('the end reports %s, and how to see why', async (_, seen, words) => {
  const { story, said, quieten } = tell();
  quieten();
  story.look(calmView);
  await settled();
  expect(story.hasEnded()).toBe(false);
  story.look({ ...calmView, requests: [seen] });
  expect(story.hasEnded()).toBe(true);
  expect(said.slice(1)).toEqual([
    `The request ${words}. A token does not prove that the client is an instance. To see why:`,
    '  npx --no -- drover csr explain stranger',
  ]);
});

test('a request that cannot be made is a problem, and ends the story', async () => {
  const { story, problems, quieten } = tell(() => Promise.reject(new Error('no token is published')));
  quieten();
  story.look(calmView);
  await settled();
  expect(story.hasEnded()).toBe(true);
  expect(problems).toEqual([new Error('no token is published')]);
});
