import * as z from 'zod/mini';
import { bootstrapRoles } from '../../../credentials/token-cluster.ts';
import { reasonsToLeave } from '../../../passes/leaving-notice.ts';
import { problemKinds } from '../../../problems/kinds.ts';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const text = z.nullable(z.string());
const time = z.nullable(z.iso.datetime());

const leavingPass = z
  .object({
    node: text.check(z.describe('null if the Node is not marked yet or the API server did not respond')),
    instanceId: z.string(),
    autoScalingGroupName: text.check(z.describe('null if the instance is in no managed group')),
    lifecycleState: text,
    cause: z.nullable(z.enum(reasonsToLeave)),
    since: time,
    until: time.check(z.describe('When Drover deletes the pods that are left')),
    renewedAt: time.check(z.describe('When a pass last updated the mark on the Node')),
    waitsFor: z.string(),
  })
  .check(z.meta({ id: 'LeavingPass', description: 'A leaving instance, and what it waits for' }));

const joiningPass = z
  .object({ instanceId: z.string(), autoScalingGroupName: z.string(), lifecycleState: z.string() })
  .check(z.meta({ id: 'JoiningPass', description: "A launched instance that waits on Drover's hook" }));

export const passProblem = z
  .object({
    kind: z
      .string()
      .check(
        z.describe(
          `One of ${problemKinds.join(', ')}. A later version may have others: an unknown kind is a problem too`,
        ),
      ),
    subject: z
      .string()
      .check(z.describe('The name of the Node, instance, group, parameter or whatever has the problem')),
    message: z.string(),
    severity: z
      .optional(z.enum(['critical', 'warning']))
      .check(z.describe('critical: a node, its pods or a quorum may be lost without you')),
    since: z.optional(time).check(z.describe('null if nothing records when it began')),
    alarm: z
      .optional(text)
      .check(
        z.describe(
          'The alarm of the same condition, without the name of the deployment; null if there is none',
        ),
      ),
    command: z
      .optional(z.string())
      .check(z.describe('The command that solves it, or shows its cause; capitals are placeholders')),
  })
  .check(z.meta({ id: 'PassProblem', description: 'A problem that needs an operator' }));

const passFields = {
  leaving: z.array(leavingPass),
  joining: z.array(joiningPass),
  problems: z.array(passProblem),
};

export const passList = z
  .object({
    ...passFields,
    clusterAnswers: z
      .boolean()
      .check(z.describe('false: the Nodes could not be listed, so passes may be missing')),
    unknown: z
      .optional(z.array(z.string()))
      .check(z.describe('What else could not be read, with the reasons: passes may be missing')),
  })
  .check(
    z.meta({ id: 'PassList', description: 'What Drover waits for, and the problems that need an operator' }),
  );

const count = () => z.nullable(z.int().check(z.nonnegative())).check(z.describe('null if unknown'));

const setSize = () => z.nullable(z.int()).check(z.describe('null if the action does not set it'));

const credentialStatus = z
  .object({
    role: z.enum(bootstrapRoles),
    parameterName: z.string().check(z.describe('The parameter in which the credential is published')),
    state: z
      .enum(['ok', 'attention', 'unknown'])
      .check(
        z.describe('attention: no credential is published, or its rotation is more than an hour overdue'),
      ),
    reason: z.string(),
    publishedAt: z.nullable(z.iso.datetime()),
    ageSeconds: z.nullable(z.int()),
  })
  .check(z.meta({ id: 'CredentialStatus', description: 'The bootstrap credential of a role' }));

const etcdStatus = z
  .object({
    state: z
      .enum(['ok', 'attention', 'unknown', 'off'])
      .check(
        z.describe(
          'The state that Drover last recorded: the members are not contacted. off: the deployment manages no etcd. attention: a group reports a problem',
        ),
      ),
    reason: z.string(),
    members: z
      .nullable(z.array(z.string()))
      .check(z.describe('The instances whose members Drover knows; null if unknown')),
  })
  .check(z.meta({ id: 'EtcdStatus', description: 'etcd, as Drover last observed it' }));

const scheduledAction = z
  .object({
    name: z.string(),
    autoScalingGroupName: z.string(),
    nextAt: time.check(z.describe('When it runs next; null if AWS does not report it')),
    recurrence: text.check(z.describe('In Unix cron syntax; null if it runs once')),
    timeZone: text.check(z.describe('null is UTC')),
    minSize: setSize(),
    maxSize: setSize(),
    desiredCapacity: setSize(),
    verdict: z
      .string()
      .check(
        z.describe(
          'none, raised-again (Drover raises MinSize again for a hold), unclear (its sizes do not fit a hold, and AWS does not document what it does; or the holds could not be read), conflict (it works against a hold, and is a problem) or suspended (it does not run). A later version may have others',
        ),
      ),
    reason: z.string().check(z.describe('Empty for none')),
  })
  .check(
    z.meta({
      id: 'ScheduledAction',
      description: 'A scheduled action of EC2 Auto Scaling, which Drover shows and never changes',
    }),
  );

export const status = z
  .object({
    clusterName: z.string(),
    state: z
      .enum(['ok', 'attention', 'unknown'])
      .check(
        z.describe(
          'attention: a problem, a credential or etcd needs an operator. unknown: nothing needs an operator, but a part of the answer could not be read: see unknown. Nodes that join or leave are ok',
        ),
      ),
    groups: count(),
    pausedGroups: z.nullable(z.array(z.string())),
    instances: count(),
    leaving: count(),
    joining: count(),
    clusterAnswers: z.boolean(),
    problems: z.array(passProblem),
    scheduledActions: z
      .optional(z.array(scheduledAction))
      .check(
        z.describe(
          'The scheduled actions of Auto Scaling that touch managed groups, the next one first; missing if they could not be read',
        ),
      ),
    credentials: z
      .array(credentialStatus)
      .check(z.describe('The credential of each role. Empty if the deployment makes no credentials')),
    etcd: etcdStatus,
    unknown: z.array(z.string()).check(z.describe('The parts that could not be read, with the reasons')),
    notLookedAt: z
      .optional(z.array(z.string()))
      .check(
        z.describe(
          'What the API does not look at. A problem of it is shown only by its alarm: drover status looks at all',
        ),
      ),
  })
  .check(z.meta({ id: 'Status', description: 'The state of the cluster in one word, with its reasons' }));
