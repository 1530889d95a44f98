import { shellWord } from '../../../shared/base/shell-words.ts';
import { comparableArn } from '../../../shared/identity/arn.ts';
import { nodeTypes } from '../../doctor/checks/access-entries.ts';
import { type MappedRole, withRoles } from './aws-auth.ts';
import type { Feature, Observation, ObservedEks, ObservedGroup } from './observation.ts';
import { join, type Plan, type Refusal, type Step } from './step.ts';

type Mapped = Pick<Observation, 'clusterName' | 'eks'> & {
  readonly groups: readonly ObservedGroup[];
  readonly features: ReadonlySet<Feature>;
};

/** The group that is bound to the rights of a function, and no others: deploy/rbac.yaml. */
const groupsOfFunction: Readonly<Record<string, string>> = {
  sweep: 'drover:reader',
  'scale-api': 'drover:reader',
  'bootstrap-credential': 'drover:credentials',
  'certificate-requests': 'drover:certificates',
  prewarm: 'drover:planner',
  roll: 'drover:roller',
};

/** The group of node-leaving and node-joining, which is bound to the rights of all functions. */
const sharedGroup = 'drover';

const groupFor = (name: string): string => groupsOfFunction[name] ?? sharedGroup;

const isInGroup = (groups: readonly string[], name: string): boolean =>
  groups.includes(groupFor(name)) || groups.includes(sharedGroup);

/** On EKS: who the roles of the functions and of the nodes are in the cluster. Elsewhere the kubeconfig of Drover says that. Pure. */
export function planMapping({ clusterName, eks, groups }: Mapped): Partial<Plan> {
  if (eks === undefined) return {};
  const nodeRoles = [...new Set(groups.flatMap(({ instanceRoleArns }) => instanceRoleArns))];
  const withoutRole = groups.filter(({ instanceRoleArns }) => instanceRoleArns.length === 0);
  return join([
    ...(eks.entries === undefined
      ? [planAwsAuth(eks, nodeRoles)]
      : [
          ...[...eks.functionRoles].map(([name, arn]) => functionEntry(clusterName, arn, { name, eks })),
          ...nodeRoles.map((arn) => nodeEntry(clusterName, arn, eks)),
        ]),
    {
      notices: withoutRole.map(
        ({ autoScalingGroupName }) =>
          `${autoScalingGroupName}: it has no instance whose role could be read, so the log-in of its nodes is not planned: run this again once one runs`,
      ),
    },
  ]);
}

const deleteEntry = (clusterName: string, arn: string): string =>
  `aws eks delete-access-entry --cluster-name ${shellWord(clusterName)} --principal-arn ${shellWord(arn)}`;

function functionEntry(
  clusterName: string,
  arn: string,
  { name, eks }: { readonly name: string; readonly eks: ObservedEks },
): Partial<Plan> {
  const entry = eks.entries?.get(comparableArn(arn));
  const group = groupFor(name);
  if ((entry && isInGroup(entry.groups, name)) || isMapped(eks, arn)) return {};
  if (entry)
    return {
      refusals: [
        {
          subject: arn,
          reason: `it has an access entry of type ${entry.type} without the group ${group}`,
          remedy: `aws eks update-access-entry --cluster-name ${shellWord(clusterName)} --principal-arn ${shellWord(arn)} --kubernetes-groups ${[...entry.groups, group].map(shellWord).join(' ')}`,
        },
      ],
    };
  return {
    steps: [
      entryStep(clusterName, arn, {
        subject: `log-in of ${name}`,
        groups: [group],
        shall: `an access entry in the group ${group}`,
        risk: `the function ${name} may do in the cluster what the group ${group} is bound to`,
      }),
    ],
  };
}

function nodeEntry(clusterName: string, arn: string, eks: ObservedEks): Partial<Plan> {
  const entry = eks.entries?.get(comparableArn(arn));
  if (isMapped(eks, arn) || (entry && nodeTypes.has(entry.type))) return {};
  if (entry) return { refusals: [wrongType(clusterName, arn, entry.type)] };
  return {
    steps: [
      entryStep(clusterName, arn, {
        subject: `log-in of nodes with ${arn}`,
        groups: undefined,
        shall: 'an access entry of type EC2_LINUX',
        risk: 'instances with this role can join the cluster as nodes',
      }),
    ],
  };
}

/** An entry cannot change its type. Between its deletion and the new one, nodes of this role are unknown to the API server. */
const wrongType = (clusterName: string, arn: string, type: string): Refusal => ({
  subject: arn,
  reason: `its access entry is of type ${type}, so nodes of this role cannot join, and an entry cannot change its type`,
  remedy: `${deleteEntry(clusterName, arn)} && aws eks create-access-entry --cluster-name ${shellWord(clusterName)} --principal-arn ${shellWord(arn)} --type EC2_LINUX`,
});

function entryStep(
  clusterName: string,
  principalArn: string,
  what: Pick<Step, 'subject' | 'shall' | 'risk'> & { readonly groups: readonly string[] | undefined },
): Step {
  const { groups, ...words } = what;
  return {
    id: `entry/${principalArn}`,
    group: null,
    ...words,
    is: 'no access entry, and aws-auth does not name it',
    actions: [{ kind: 'create-entry', clusterName, principalArn, groups }],
    reversal: deleteEntry(clusterName, principalArn),
  };
}

const isMapped = ({ mapped }: ObservedEks, arn: string): boolean =>
  mapped.some((entry) => entryFor(arn)(entry));

const entryFor =
  (arn: string) =>
  (entry: MappedRole): boolean =>
    comparableArn(entry.arn) === comparableArn(arn);

function planAwsAuth(eks: ObservedEks, nodeRoles: readonly string[]): Partial<Plan> {
  const wanted: readonly MappedRole[] = [
    ...[...eks.functionRoles].map(([name, arn]) => ({
      arn,
      username: `drover:${name}`,
      groups: [groupFor(name)],
    })),
    ...nodeRoles.map((arn) => ({
      arn,
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes'],
    })),
  ];
  // A second entry for a role would replace the first one: the last one counts.
  const refusals = wanted.flatMap((role) => {
    const entry = eks.mapped.find(entryFor(role.arn));
    const isEnough = (group: string): boolean =>
      entry?.groups.includes(group) ||
      (group.startsWith(`${sharedGroup}:`) && entry?.groups.includes(sharedGroup)) ||
      false;
    return entry && !role.groups.every(isEnough) ? [otherGroups(role, entry)] : [];
  });
  const lacking = wanted.filter((role) => !eks.mapped.some(entryFor(role.arn)));
  if (lacking.length === 0) return { refusals };
  // Without data, no patch could test that it is still the ConfigMap that was read.
  const isBlank = eks.awsAuth !== undefined && Object.keys(eks.awsAuth).length === 0;
  const appended = isBlank
    ? ({ kind: 'refused', reason: 'the ConfigMap has no data' } as const)
    : withRoles(eks.awsAuth?.['mapRoles'] ?? '', lacking);
  if (appended.kind === 'refused')
    return {
      refusals: [
        ...refusals,
        {
          subject: 'kube-system/aws-auth',
          reason: appended.reason,
          remedy: `add ${lacking.map(({ arn }) => arn).join(', ')} by hand: kubectl -n kube-system edit configmap aws-auth`,
        },
      ],
    };
  return {
    refusals,
    steps: [
      {
        id: 'aws-auth',
        group: null,
        subject: 'mapRoles of kube-system/aws-auth',
        is: `${eks.mapped.length} roles, without ${lacking.map(({ arn }) => arn).join(', ')}`,
        shall: `the same text, and at its end ${lacking.map(({ arn, groups }) => `${arn} in ${groups.join(', ')}`).join('; ')}`,
        actions: [{ kind: 'map-roles', before: eks.awsAuth, after: appended.text }],
        risk: 'nodes of a role that this text loses are NotReady within minutes: the change is refused if the text is another one by then',
        reversal: 'kubectl -n kube-system edit configmap aws-auth, and remove the last entries',
      },
    ],
  };
}

const otherGroups = ({ arn, groups }: MappedRole, entry: MappedRole): Refusal => ({
  subject: arn,
  reason: `aws-auth maps it to ${entry.username} in ${entry.groups.join(', ') || 'no groups'}, not in ${groups.join(', ')}; of two entries for a role the last one counts`,
  remedy: 'kubectl -n kube-system edit configmap aws-auth',
});
