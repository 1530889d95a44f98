import type { Cloud } from '@drover/cloud-sandbox';

/** Starts an instance refresh that replaces the root volume of each instance of the group. */
export const refresh = ({ account }: Pick<Cloud, 'account'>, AutoScalingGroupName = 'workers'): void => {
  account.autoScaling.operations.StartInstanceRefresh({
    AutoScalingGroupName,
    Strategy: 'ReplaceRootVolume',
    DesiredConfiguration: {
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateName: AutoScalingGroupName, Version: '1' },
          Overrides: [{ InstanceType: 'm5.large', ImageId: 'ami-0fedcba9876543210' }],
        },
      },
    },
  });
};
