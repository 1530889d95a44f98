import { describe, expect, test } from 'vitest';
import { type Cloud, createCloud } from '../support/cloud.ts';

const run = (cloud: Cloud, settings = {}): string => {
  const answer = cloud.ec2.operations.RunInstances({
    MinCount: 1,
    MaxCount: 1,
    LaunchTemplate: { LaunchTemplateName: 'workers' },
    ...settings,
  });
  return answer.Instances?.[0]?.InstanceId ?? '';
};

const describeOne = (cloud: Cloud, InstanceId: string) =>
  cloud.ec2.operations.DescribeInstances({ InstanceIds: [InstanceId] }).Reservations?.[0]?.Instances?.[0];

describe('launch templates', () => {
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/manage-launch-template-versions.html
  test('have versions, which inherit from their source, and a default version', () => {
    const cloud = createCloud();
    const { operations } = cloud.ec2;
    operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: { InstanceType: 'm5.xlarge' },
    });
    const versions = operations.DescribeLaunchTemplateVersions({
      LaunchTemplateName: 'workers',
      Versions: ['$Latest', '$Default'],
    });
    expect(versions.LaunchTemplateVersions).toMatchObject([
      {
        VersionNumber: 2,
        LaunchTemplateData: { InstanceType: 'm5.xlarge', ImageId: 'ami-0123456789abcdef0' },
      },
      { VersionNumber: 1, DefaultVersion: true },
    ]);
    operations.ModifyLaunchTemplate({ LaunchTemplateName: 'workers', DefaultVersion: '2' });
    expect(describeOne(cloud, run(cloud))?.InstanceType).toBe('m5.xlarge');
  });

  test('have unique names, and can be deleted', () => {
    const { operations } = createCloud().ec2;
    const template = { LaunchTemplateName: 'workers', LaunchTemplateData: {} };
    expect(() => operations.CreateLaunchTemplate(template)).toThrow(/already in use/);
    operations.DeleteLaunchTemplate({ LaunchTemplateName: 'workers' });
    expect(operations.DescribeLaunchTemplates({}).LaunchTemplates).toEqual([]);
    expect(() => operations.DescribeLaunchTemplates({ LaunchTemplateNames: ['workers'] })).toThrow(
      /does not exist/,
    );
  });
});
