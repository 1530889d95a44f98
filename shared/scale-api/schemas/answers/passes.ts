import * as z from 'zod/mini';
import { leavingCauses } from '../../../passes/leaving-notice.ts';

const text = z.nullable(z.string());
const time = z.nullable(z.iso.datetime());

const leavingPass = z
  .object({
    node: text.check(z.describe('Null: its Node bears no mark yet, or the cluster did not answer')),
    instanceId: z.string(),
    autoScalingGroupName: text.check(z.describe('Null: it is in no managed group')),
    lifecycleState: text,
    cause: z.nullable(z.enum(leavingCauses)),
    since: time,
    until: time.check(z.describe('From when on what is left is deleted')),
    renewedAt: time.check(z.describe('When a pass last renewed the mark of the Node')),
    waitsFor: z.string(),
  })
  .check(z.meta({ id: 'LeavingPass', description: 'An instance that leaves, and what it waits for' }));

const joiningPass = z
  .object({ instanceId: z.string(), autoScalingGroupName: z.string(), lifecycleState: z.string() })
  .check(z.meta({ id: 'JoiningPass', description: "A launched instance that waits on Drover's hook" }));

export const passProblem = z
  .object({
    kind: z.enum(['overdue', 'quiet', 'retained', 'left-behind', 'etcd']),
    subject: z.string().check(z.describe('A Node, an instance or a group, by name')),
    message: z.string(),
  })
  .check(z.meta({ id: 'PassProblem', description: 'What needs a person' }));

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
      .check(z.describe('false: the Nodes could not be listed, and passes for Nodes may be missing')),
  })
  .check(z.meta({ id: 'PassList', description: 'What Drover waits for, and what needs a person' }));
