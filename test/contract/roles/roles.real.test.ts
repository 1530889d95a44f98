import type { Wiring } from '@drover/cloud-sandbox';
import type { AskedPermission } from '@drover/cloud-sandbox/aws';
import { nodeTools } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type IamSimulate,
  iamSimulateName,
  startIamSimulate,
} from '@drover/cloud-sandbox/test/contract/iam/iam-simulate.ts';
import { sandboxIam } from '@drover/cloud-sandbox/test/contract/iam/sandbox-iam.ts';
import type { IamQuestion } from '@drover/cloud-sandbox/test/contract/iam/support.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { etcd } from '../../support/stories/etcd.ts';
import { leaving } from '../../support/stories/leaving.ts';
import { failure, hookNotification, rotation, scaling } from '../../support/stories/others.ts';
import type { Story } from '../../support/stories/story.ts';
import { volumes } from '../../support/stories/volumes.ts';
import { nearRequests, resourceOf } from './near-requests.ts';
import { type Granted, grantedBy, turnedRound } from './role-requests.ts';

let running: IamSimulate | undefined;

beforeAll(() => {
  if (nodeTools.isInstalled) running = startIamSimulate();
});
afterAll(() => running?.stop());

function iam(): IamSimulate {
  if (running === undefined) throw new Error(`${iamSimulateName} does not run`);
  return running;
}

const claim = (behaviour: string) => ({
  meta: { claim: { area: 'Roles of the deployment', behaviour, world: iamSimulateName } },
});

const { roles } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
const granted = roles.flatMap(grantedBy);
const actions = [...new Set(granted.map(({ request }) => request.action))];
// The Service Authorization Reference has parameters of an account only; AWS's own have none in their ARN.
const isPublicParameter = (resource: string): boolean => /:ssm:[^:]*::parameter\/aws\//.test(resource);
const serviceOf = (action: string): string => action.slice(0, action.indexOf(':'));

/** What is asked about a right: it itself and its like, by the role and by its statement turned round. */
function questionsOf({ statement, policies, request }: Granted): readonly IamQuestion[] {
  const others = actions.filter((action) => serviceOf(action) === serviceOf(request.action));
  return [request, ...nearRequests(request, others)].flatMap((one) =>
    [policies, ...turnedRound(statement)].map((documents) => ({ ...one, policies: documents })),
  );
}

/** Asks both; whether the action takes such a resource, and such keys, at all. */
async function agree(question: IamQuestion): Promise<boolean> {
  const { decision, why, ignored } = await iam().simulate(question);
  if (decision === 'refused' && !why?.includes('policy.errors')) return false;
  // AWS never sends these keys with this action, so no answer is the right one.
  if (ignored.length > 0) return false;
  expect([question, await sandboxIam.decide(question)]).toEqual([question, decision]);
  return true;
}

describe.skipIf(!nodeTools.isInstalled)('the roles of the deployment by iam-simulate', () => {
  const known =
    'every right of every role is one of AWS’s, on resources and with keys that it has, and is given';
  test(known, claim(known), async () => {
    expect(granted.length).toBeGreaterThan(60);
    for (const { policies, request } of granted.filter((one) => !isPublicParameter(one.request.resource)))
      expect([request, await iam().simulate({ ...request, policies })]).toEqual([
        request,
        { decision: 'allowed', ignored: [], why: undefined },
      ]);
  });

  const near = 'every right of every role holds and ends in the same places, also as a deny or as all but it';
  test(near, claim(near), async () => {
    const answers = await Promise.all(granted.flatMap(questionsOf).map(agree));
    expect(answers.filter(Boolean).length).toBeGreaterThan(2000);
  });
});

/** The permissions that the functions are asked for in a story, each once for what is known of it. */
async function permissionsIn(story: Story) {
  const asked = new Map<string, AskedPermission>();
  const deployed: Wiring[] = [];
  const complaints = await story({
    onPermission: (one) => {
      const { principalArn, action, resource, context, decision } = one;
      asked.set(JSON.stringify([principalArn, action, resource, Object.keys(context), decision]), one);
    },
    editWiring: (wiring) => {
      deployed.push(wiring);
      return wiring;
    },
  });
  expect(complaints).toEqual([]);
  return [...asked.values()].flatMap((one) => questionOf(one, deployed));
}

function questionOf(one: AskedPermission, deployed: readonly Wiring[]) {
  const [, roleName] = one.principalArn.split('/');
  const role = deployed.flatMap((wiring) => wiring.roles).find((known) => known.roleName === roleName);
  const queue = deployed.flatMap(({ queues }) => queues).find(({ queueArn }) => queueArn === one.resource);
  const { Policy } = queue?.attributes ?? {};
  const policies = role?.policies.map(({ document }) => document) ?? [];
  return role === undefined
    ? []
    : [
        {
          ...one,
          resource: resourceOf(one.resource),
          policies,
          ...(Policy && { resourcePolicy: JSON.parse(Policy) }),
        },
      ];
}

const stories = { etcd, failure, hookNotification, leaving, rotation, scaling, volumes };

describe.skipIf(!nodeTools.isInstalled)('the calls of the functions by iam-simulate', () => {
  for (const [name, story] of Object.entries(stories)) {
    const calls = `every call of the functions in the story of ${name} is one of AWS’s, with keys that it has, and allowed`;
    test(calls, claim(calls), async () => {
      const questions = await permissionsIn(story);
      expect(questions.length).toBeGreaterThan(0);
      for (const { decision, ...question } of questions)
        expect([question, await iam().simulate(question)]).toEqual([
          question,
          { decision, ignored: [], why: undefined },
        ]);
    });
  }
});
