import type { Check } from './check.ts';
import { accessEntries } from './checks/access-entries.ts';
import { approvers } from './checks/approvers.ts';
import { autoscaler } from './checks/autoscaler.ts';
import { cluster } from './checks/cluster.ts';
import { concurrency } from './checks/concurrency.ts';
import { credentials } from './checks/credentials.ts';
import { deletion } from './checks/deletion.ts';
import { groups } from './checks/groups.ts';
import { hooks } from './checks/hooks.ts';
import { identity } from './checks/identity.ts';
import { nodeRoles } from './checks/node-roles.ts';
import { nodes } from './checks/nodes.ts';
import { parameters } from './checks/parameters.ts';
import { problems } from './checks/problems.ts';
import { processes } from './checks/processes.ts';
import { queues } from './checks/queues.ts';
import { repair } from './checks/repair.ts';
import { rights } from './checks/rights.ts';
import { rollouts } from './checks/rollouts.ts';
import { rules } from './checks/rules.ts';
import { vpcs } from './checks/vpcs.ts';
import { webIdentity } from './checks/web-identity.ts';

/** Every check, in the order of the report: what others depend on comes first. */
export const checks: readonly Check[] = [
  identity,
  cluster,
  rights,
  approvers,
  nodeRoles,
  accessEntries,
  webIdentity,
  groups,
  processes,
  hooks,
  deletion,
  vpcs,
  rules,
  repair,
  problems,
  queues,
  parameters,
  credentials,
  nodes,
  rollouts,
  autoscaler,
  concurrency,
];
