import * as z from 'zod/mini';
import { bootstrapRoles } from '../../../credentials/token-cluster.ts';
import { passProblem } from './passes.ts';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const count = () => z.nullable(z.int().check(z.nonnegative())).check(z.describe('Null: unknown'));

const credentialStatus = z
  .object({
    role: z.enum(bootstrapRoles),
    parameterName: z.string().check(z.describe('The parameter in which it is published')),
    state: z
      .enum(['ok', 'attention', 'unknown'])
      .check(z.describe('attention: none is published, or its replacement is more than an hour overdue')),
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
          'What Drover last wrote: its members are not asked. off: the deployment manages no etcd. attention: a problem stands on a group',
        ),
      ),
    reason: z.string(),
    members: z
      .nullable(z.array(z.string()))
      .check(z.describe('The instances whose members Drover knows. Null: unknown')),
  })
  .check(z.meta({ id: 'EtcdStatus', description: 'etcd, as Drover last saw it' }));

export const status = z
  .object({
    clusterName: z.string(),
    state: z
      .enum(['ok', 'attention', 'unknown'])
      .check(
        z.describe(
          'attention: problems, a credential or etcd needs a person. unknown: nothing does, and a part of the answer could not be read: see unknown. Nodes that join or leave are ok',
        ),
      ),
    groups: count(),
    pausedGroups: z.nullable(z.array(z.string())),
    instances: count(),
    leaving: count(),
    joining: count(),
    clusterAnswers: z.boolean(),
    problems: z.array(passProblem),
    credentials: z
      .array(credentialStatus)
      .check(z.describe('Of each role that gets one; none where the deployment makes none')),
    etcd: etcdStatus,
    unknown: z.array(z.string()).check(z.describe('Which parts could not be read, and why')),
  })
  .check(z.meta({ id: 'Status', description: 'The state of the cluster in one word, with its reasons' }));
