import {
  type AutoScalingGroup,
  type LaunchTemplateSpecification,
  paginateDescribeAutoScalingGroups,
} from '@aws-sdk/client-auto-scaling';
import { DescribeLaunchTemplateVersionsCommand, type LaunchTemplateVersion } from '@aws-sdk/client-ec2';
import { required } from '../../../shared/aws/errors.ts';
import type { AdoptAccess } from '../access.ts';
import type { ObservedLaunch, ObservedTemplate } from '../plan/observation.ts';

type Clients = Pick<AdoptAccess, 'autoScaling' | 'ec2'>;

/** Every specification of a launch template: that of the group, or of its policy and the overrides that have their own. */
export const specificationsOf = ({
  LaunchTemplate,
  MixedInstancesPolicy: policy,
}: AutoScalingGroup): readonly LaunchTemplateSpecification[] =>
  [
    LaunchTemplate,
    policy?.LaunchTemplate?.LaunchTemplateSpecification,
    ...(policy?.LaunchTemplate?.Overrides ?? []).map(
      ({ LaunchTemplateSpecification: specification }) => specification,
    ),
  ].flatMap((specification) => specification ?? []);

/** What the group launches from, with the user data of each launch template. */
export async function observeLaunch(group: AutoScalingGroup, clients: Clients): Promise<ObservedLaunch> {
  const specifications = specificationsOf(group);
  const configuration = group.LaunchConfigurationName;
  if (specifications.length === 0)
    return configuration === undefined ? { kind: 'none' } : { kind: 'configuration', name: configuration };
  const users = await usersOfLatest(clients);
  const templates = new Map<string, ObservedTemplate>();
  for (const specification of specifications) {
    const template = await observeTemplate(specification, clients, (id) =>
      (users.get(id) ?? []).filter((name) => name !== group.AutoScalingGroupName),
    );
    templates.set(`${template.id} ${template.version}`, template);
  }
  return { kind: 'templates', templates: [...templates.values()] };
}

async function observeTemplate(
  { LaunchTemplateId, LaunchTemplateName, Version = '$Default' }: LaunchTemplateSpecification,
  { ec2 }: Clients,
  otherGroups: (id: string) => readonly string[],
): Promise<ObservedTemplate> {
  const { LaunchTemplateVersions, $metadata } = await ec2.send(
    new DescribeLaunchTemplateVersionsCommand({
      // AWS describes a template by its id and its name, and takes one of them.
      ...(LaunchTemplateId === undefined ? { LaunchTemplateName } : { LaunchTemplateId }),
      Versions: [Version, '$Latest'],
    }),
  );
  const found = required(LaunchTemplateVersions, { name: 'LaunchTemplateVersions', $metadata });
  // No page of EC2 promises an order.
  const numbers = found.map(({ VersionNumber = 0 }) => VersionNumber);
  const last = found.find(({ VersionNumber }) => VersionNumber === Math.max(...numbers));
  const latest = required(last, { name: 'LaunchTemplateVersion', $metadata });
  const version = required(Version === '$Latest' ? latest : found.find((one) => isVersion(one, Version)), {
    name: 'LaunchTemplateVersion',
    $metadata,
  });
  const id = required(version.LaunchTemplateId, { name: 'LaunchTemplateId', $metadata });
  return {
    id,
    name: version.LaunchTemplateName ?? id,
    version: Version,
    number: required(version.VersionNumber, { name: 'VersionNumber', $metadata }),
    userData: userDataOf(version),
    latest: {
      number: required(latest.VersionNumber, { name: 'VersionNumber', $metadata }),
      description: latest.VersionDescription ?? '',
      userData: userDataOf(latest),
    },
    otherGroups: otherGroups(id),
  };
}

const isVersion = ({ VersionNumber, DefaultVersion }: LaunchTemplateVersion, version: string): boolean =>
  version === '$Default' ? DefaultVersion === true : String(VersionNumber) === version;

const userDataOf = ({ LaunchTemplateData }: LaunchTemplateVersion): Uint8Array =>
  Buffer.from(LaunchTemplateData?.UserData ?? '', 'base64');

/** The groups that use a template with `$Latest`, by its id. */
async function usersOfLatest({ autoScaling }: Clients): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  for await (const { AutoScalingGroups = [] } of paginateDescribeAutoScalingGroups(
    { client: autoScaling.client },
    {},
  ))
    for (const group of AutoScalingGroups)
      for (const { LaunchTemplateId = '', Version } of specificationsOf(group))
        if (Version === '$Latest')
          users.set(LaunchTemplateId, [
            ...(users.get(LaunchTemplateId) ?? []),
            group.AutoScalingGroupName ?? '',
          ]);
  return users;
}
