import { shellWord } from '../../../shared/base/shell-words.ts';
import { clusterTag } from '../../../shared/groups/group.ts';
import { commandsOf, variableOf } from '../../adopt/as/commands.ts';
import { scriptPath } from '../../user-data/etcd/unit.ts';
import { hookSteps } from './hook-steps.ts';
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
  const service = naming.serviceName ? ` --discovery-srv-name ${shellWord(naming.serviceName)}` : '';
  const userData = `drover user-data etcd --cluster ${shellWord(clusterName)} --domain ${shellWord(naming.domain)}${service}${naming.services === 'plain' ? ' --no-tls' : ''}`;
  const versionsOf = Map.groupBy(other, ({ id }) => id);
  return other.map(({ id, name: template, number, version }) => ({
    // A mixed instances policy may have two versions of one template.
    id: `user-data/${name}/${id}${(versionsOf.get(id)?.length ?? 0) > 1 ? `/${version}` : ''}`,
    member: null,
    subject: `launch template ${template} of ${name}`,
    is: `version ${number}, whose user data does not start members as Drover publishes them`,
    shall: 'a version with the user data of drover user-data etcd, to which the group moves',
    risk: 'instances that run keep theirs. What else the present user data does, such as monitoring, ends unless you add it to etcd.sh. Without it a new instance starts an etcd of its own. Data volumes that move from one instance to the next must go: a member that was removed never serves again',
    commands: [
      // One command: a file that was not written must make no version, and base64 of macOS has no -w.
      `${userData} > etcd.sh && ${variableOf(id, number)}=$(aws ec2 create-launch-template-version --launch-template-id ${id} --source-version ${number} --launch-template-data "{\\"UserData\\":\\"$(base64 < etcd.sh | tr -d '\\n')\\"}" --query LaunchTemplateVersion.VersionNumber --output text)`,
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
