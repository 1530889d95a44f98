import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { expect, test } from 'vitest';
import { playInWorld, whyNotReal } from '../../../local/real-world/stories/play-in-world.ts';
import { eksAuth } from '../../../local/story/seeds/eks-auth.ts';
import { eksJoin } from '../../../local/story/seeds/eks-join.ts';
import { kubecfn } from '../../../local/story/seeds/kubecfn.ts';
import { seedStories } from '../../../local/story/seeds/stories.ts';

const withoutEtcd = chosenEtcd.isInstalled
  ? whyNoNameServer()
  : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`;

/** The rest of eks-auth waits for minutes until kept answers expire. */
const [logIn] = eksAuth.steps;
const joinAndLogIn = { ...eksJoin, steps: [...(logIn ? [logIn] : []), ...eksJoin.steps] };

test.for([
  { story: kubecfn, missing: kubernetes.missing ?? kwok.missing ?? withoutEtcd },
  { story: joinAndLogIn, missing: kubernetes.missing },
])(
  'the story $story.name plays whole with real programs',
  { timeout: 240_000 },
  async ({ story, missing }, { skip }) => {
    skip(missing !== undefined, missing);
    const said: string[] = [];
    const problems: unknown[] = [];
    const isWell = await playInWorld(story, {
      workers: 2,
      speed: 5,
      say: (text) => void said.push(text),
      onProblem: (problem) => void problems.push(problem),
    });
    expect(said.filter((line) => line.includes('failed'))).toEqual([]);
    expect(said.filter((line) => line.startsWith('Seen: '))).toHaveLength(story.steps.length);
    expect(isWell).toBe(true);
    expect(problems).toEqual([]);
  },
);

test('only the stories of OpenShift need what no real program has, and say so', () => {
  const refused = seedStories.filter((story) => whyNotReal(story) !== undefined);
  expect(refused.map(({ name }) => name)).toEqual(['openshift-iam', 'openshift-asg']);
  for (const story of refused) expect(whyNotReal(story)).toMatch(/Kubernetes 1\.11.*npm start -- --story /);
});
