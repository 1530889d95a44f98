import type { RoleWiring } from '@drover/cloud-sandbox';
import { sandboxIam } from '@drover/cloud-sandbox/test/contract/iam/sandbox-iam.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { nearRequests, type Request } from './near-requests.ts';
import { type Granted, grantedBy, policiesOf } from './role-requests.ts';

/** A question about a role, with the keys whose values are lists. */
export interface Question extends Request {
  readonly roleArn: string;
  readonly listKeys: readonly string[];
}

export interface DecisionsWorld {
  /** The role of the template as it was deployed: the names of queues are known only then. */
  readonly deployed: (role: RoleWiring) => Promise<RoleWiring>;
  readonly decide: (question: Question) => Promise<'allowed' | 'explicit-deny' | 'implicit-deny'>;
}

/** Keys of several values need a set operator, and only they. */
const listKeysOf = ({ statement: { Condition = {} } }: Granted): readonly string[] =>
  Object.entries(Condition as Readonly<Record<string, object>>).flatMap(([operator, keys]) =>
    /^For(?:All|Any)Value/.test(operator) ? Object.keys(keys) : [],
  );

/** Each once: statements have rights in common. */
function questionsAbout(
  role: RoleWiring,
  requestsOf: (granted: Granted, actions: readonly string[]) => readonly Request[],
): readonly Question[] {
  const granted = grantedBy(role);
  const actions = [...new Set(granted.map(({ request }) => request.action))];
  const questions = granted.flatMap((one) =>
    requestsOf(one, actions).map((request) => ({
      ...request,
      roleArn: role.roleArn,
      listKeys: listKeysOf(one),
    })),
  );
  return [...new Map(questions.map((question) => [JSON.stringify(question), question])).values()];
}

const itsRight = ({ request }: Granted): readonly Request[] => [request];

/** The resource, the account, the region and each value of the context nearly right, and each key left out; two other rights of the role. */
const itsNeighbours = ({ request }: Granted, actions: readonly string[]): readonly Request[] =>
  nearRequests(request, actions.filter((action) => action !== request.action).slice(0, 2));

const shortName = ({ roleName }: RoleWiring, stackName: string): string =>
  roleName.slice(stackName.length + 1);

/** For each role: its rights, and the limits of each as the evaluator of the sandbox finds them in the template. */
export const decisionCases = (roles: readonly RoleWiring[], stackName: string): Cases<DecisionsWorld> =>
  Object.fromEntries(
    roles.flatMap((role) => [
      [
        `${shortName(role, stackName)} may do each thing that its policies allow`,
        async (world) => {
          for (const question of questionsAbout(await world.deployed(role), itsRight))
            expect([question, await world.decide(question)]).toEqual([question, 'allowed']);
        },
      ],
      [
        `the rights of ${shortName(role, stackName)} end where its policies say`,
        async (world) => {
          const deployed = await world.deployed(role);
          const policies = policiesOf(deployed);
          for (const question of questionsAbout(deployed, itsNeighbours))
            expect([question, await world.decide(question)]).toEqual([
              question,
              await sandboxIam.decide({ ...question, policies }),
            ]);
        },
      ],
    ]),
  );
