import {
  type AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  type LaunchTemplateSpecification,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { required } from '../../shared/aws/errors.ts';
import type { Action } from './plan/step.ts';

/** The numbers of the versions that this run has made, by template and source. */
export type MadeVersions = Map<string, number>;

const keyOf = (templateId: string, source: number): string => `${templateId} ${source}`;

/** Makes a version of the source with this user data; all else is that of the source. Sent again it makes no second one. */
export async function makeVersion(
  client: EC2Client,
  action: Extract<Action, { kind: 'make-version' }>,
  made: MadeVersions,
): Promise<void> {
  const { LaunchTemplateVersion: version, $metadata } = await client.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateId: action.templateId,
      SourceVersion: String(action.source),
      VersionDescription: action.description,
      ClientToken: action.clientToken,
      LaunchTemplateData: { UserData: action.userData },
    }),
  );
  made.set(
    keyOf(action.templateId, action.source),
    required(version?.VersionNumber, { name: 'VersionNumber', $metadata }),
  );
}

/**
 * Gives the group the new versions. A version that is not of the plan stays: someone has set it since. The policy is read right before and sent back whole: Auto Scaling drops overrides that an update does not
 * repeat.
 */
export async function moveGroup(
  client: AutoScalingClient,
  { group: AutoScalingGroupName, templates }: Extract<Action, { kind: 'move-group' }>,
  made: MadeVersions,
): Promise<void> {
  const { AutoScalingGroups, $metadata } = await client.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
  );
  const group = required(AutoScalingGroups?.[0], { name: 'AutoScalingGroups', $metadata });
  const versions = new Map(
    templates.flatMap(({ templateId, name, version, from, to }) => {
      const next = to ?? made.get(keyOf(templateId, from));
      return [templateId, name].map((template) => [`${template} ${version}`, next] as const);
    }),
  );
  const moved = (specification: LaunchTemplateSpecification): LaunchTemplateSpecification => {
    const { LaunchTemplateId, LaunchTemplateName = '', Version } = specification;
    const version = versions.get(`${LaunchTemplateId ?? LaunchTemplateName} ${Version ?? '$Default'}`);
    return {
      // AWS describes a template by its id and its name, and takes one of them.
      ...(LaunchTemplateId === undefined ? { LaunchTemplateName } : { LaunchTemplateId }),
      Version: version === undefined ? Version : String(version),
    };
  };
  const { LaunchTemplate, MixedInstancesPolicy: policy } = group;
  const { LaunchTemplateSpecification: base, Overrides = [] } = policy?.LaunchTemplate ?? {};
  await client.send(
    new UpdateAutoScalingGroupCommand({
      AutoScalingGroupName,
      ...(LaunchTemplate && { LaunchTemplate: moved(LaunchTemplate) }),
      ...(policy && {
        MixedInstancesPolicy: {
          ...policy,
          LaunchTemplate: {
            ...(base && { LaunchTemplateSpecification: moved(base) }),
            Overrides: Overrides.map(({ LaunchTemplateSpecification: own, ...override }) => ({
              ...override,
              ...(own && { LaunchTemplateSpecification: moved(own) }),
            })),
          },
        },
      }),
    }),
  );
}
