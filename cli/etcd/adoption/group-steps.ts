import { shellWord } from '../../../shared/base/shell-words.ts';
import { clusterTag, findLaunchingHook, findTerminatingHook } from '../../../shared/groups/group.ts';
import { commandsOf, variableOf } from '../../adopt/as/commands.ts';
import { scriptPath } from '../../user-data/etcd/unit.ts';
import type { AdoptionObservation, GroupToAdopt } from './observation.ts';
import type { AdoptionStep } from './plan.ts';

/** User data, hooks and tags of a group, in this order: without its tags Drover does not act on it. */
export const groupSteps = (
  group: GroupToAdopt,
  observation: AdoptionObservation,
): readonly AdoptionStep[] => [
  ...userDataSteps(group, observation),
  ...hookSteps(group, observation),
  ...tagSteps(group, observation),
];

function userDataSteps(
  group: GroupToAdopt,
  { clusterName, naming }: AdoptionObservation,
): readonly AdoptionStep[] {
  const { launch, autoScalingGroupName: name } = group;
  if (launch.kind !== 'templates') return [];
  const other = launch.templates.filter(({ userData }) => !isOurs(userData, naming.domain));
  const service = naming.serviceName ? ` --discovery-srv-name ${naming.serviceName}` : '';
  return other.map(({ id, name: template, number, version }) => ({
    id: `user-data/${name}/${id}`,
    member: null,
    subject: `launch template ${template} of ${name}`,
    is: `version ${number}, whose user data does not start members as Drover publishes them`,
    shall: 'a version with the user data of drover user-data etcd, to which the group moves',
    risk: 'instances that run keep theirs. Without it a new instance starts an etcd of its own. Data volumes that move from one instance to the next must go: a member that was removed never serves again',
    commands: [
      `drover user-data etcd --cluster ${clusterName} --domain ${naming.domain}${service}${naming.services === 'plain' ? ' --no-tls' : ''} > etcd.sh`,
      `${variableOf(id, number)}=$(aws ec2 create-launch-template-version --launch-template-id ${id} --source-version ${number} --launch-template-data "{\\"UserData\\":\\"$(base64 -w 0 etcd.sh)\\"}" --query LaunchTemplateVersion.VersionNumber --output text)`,
      // A group with $Latest has moved by then.
      ...(version === '$Latest'
        ? []
        : commandsOf({
            kind: 'move-group',
            group: name,
            templates: [{ templateId: id, name: template, version, from: number, to: undefined }],
          })),
    ],
  }));
}

const isOurs = (userData: Uint8Array, domain: string): boolean => {
  const text = Buffer.from(userData).toString('utf8');
  return text.includes(scriptPath) && text.includes(domain);
};

const heartbeatSeconds = 3600;

function hookSteps(
  group: GroupToAdopt,
  { etcdHookName, etcdLaunchHookName }: AdoptionObservation,
): readonly AdoptionStep[] {
  const { hooks, autoScalingGroupName: name } = group;
  const step = (hook: string, transition: 'TERMINATING' | 'LAUNCHING', result: string): AdoptionStep => ({
    id: `hook/${name}/${hook}`,
    member: null,
    subject: `hook ${hook} of ${name}`,
    is: 'no such hook',
    shall: `a hook on ${transition.toLowerCase()} instances with an hour for each heartbeat, ${result} by default`,
    risk: 'an instance waits on it for an hour if the group has no tags of Drover yet',
    commands: [
      `aws autoscaling put-lifecycle-hook --auto-scaling-group-name ${shellWord(name)} --lifecycle-hook-name ${hook} --lifecycle-transition autoscaling:EC2_INSTANCE_${transition} --heartbeat-timeout ${heartbeatSeconds} --default-result ${result}`,
    ],
  });
  return [
    ...(findTerminatingHook(hooks, etcdHookName) ? [] : [step(etcdHookName, 'TERMINATING', 'CONTINUE')]),
    ...(findLaunchingHook(hooks, etcdLaunchHookName)
      ? []
      : [step(etcdLaunchHookName, 'LAUNCHING', 'ABANDON')]),
  ];
}

function tagSteps(
  { tags, autoScalingGroupName: name }: GroupToAdopt,
  { clusterName }: AdoptionObservation,
): readonly AdoptionStep[] {
  const cluster = clusterTag(clusterName);
  const wanted = [
    { key: cluster, value: tags.get(cluster)?.value === 'shared' ? 'shared' : 'owned', propagates: true },
    { key: 'drover.dev/role', value: 'etcd', propagates: false },
  ];
  const lacking = wanted.filter(({ key, value, propagates }) => {
    const tag = tags.get(key);
    return tag?.value !== value || (propagates && !tag.propagates);
  });
  if (lacking.length === 0) return [];
  return [
    {
      id: `tags/${name}`,
      member: null,
      subject: `tags of ${name}`,
      is: lacking.map(({ key }) => `${key}: ${tags.get(key)?.value ?? 'no such tag'}`).join('; '),
      shall: lacking.map(({ key, value }) => `${key}=${value}`).join('; '),
      risk: 'from now on Drover holds every instance of the group that launches or terminates, until the domain has its mark',
      commands: commandsOf({ kind: 'set-tags', group: name, tags: lacking }),
    },
  ];
}
