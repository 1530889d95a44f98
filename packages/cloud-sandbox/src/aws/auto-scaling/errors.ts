import { AwsError } from '../service.ts';

const validation = (message: string): AwsError => new AwsError({ code: 'ValidationError', message });

/** Wording as Auto Scaling sends it: clients of AWS look into these sentences. */
export const autoScalingErrors = {
  validation,
  missing: (member: string) =>
    validation(
      `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`,
    ),
  groupNotFound: (name: string) =>
    validation(`AutoScalingGroup name not found - AutoScalingGroup '${name}' not found`),
  groupExists: () =>
    new AwsError({
      code: 'AlreadyExists',
      message: 'AutoScalingGroup by this name already exists - A group with the name already exists',
    }),
  alreadyExists: (message: string) => new AwsError({ code: 'AlreadyExists', message }),
  groupDeleting: () => validation('You cannot alter AutoScalingGroup while it is pending delete'),
  instanceNotFound: (id: string) =>
    validation(`Instance Id not found - No managed instance found for instance ID: ${id}`),
  noActiveAction: (subject: {
    readonly token?: string | undefined;
    readonly instanceId?: string | undefined;
  }) =>
    validation(
      subject.token === undefined
        ? `No active Lifecycle Action found with instance ID ${subject.instanceId}`
        : `No active Lifecycle Action found with token ${subject.token}`,
    ),
  belowMinimum: (value: number, minimum: number) =>
    validation(
      `New SetDesiredCapacity value ${value} is below min value ${minimum} for the AutoScalingGroup.`,
    ),
  aboveMaximum: (value: number, maximum: number) =>
    validation(
      `New SetDesiredCapacity value ${value} is above max value ${maximum} for the AutoScalingGroup.`,
    ),
  minimumAboveMaximum: () =>
    validation('Max bound, min bound or desired capacity: Min size must not exceed max size'),
  desiredOutside: (value: number, minimum: number, maximum: number) =>
    validation(
      `Desired capacity:${value} must be between the specified min size:${minimum} and max size:${maximum}`,
    ),
  replacementNeeded: (minimum: number) =>
    validation(
      `Currently, desiredSize equals minSize (${minimum}). Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
    ),
  invalidNextToken: () => new AwsError({ code: 'InvalidNextToken', message: 'The token is not valid.' }),
  limitExceeded: (message: string) => new AwsError({ code: 'LimitExceeded', message }),
  resourceInUse: (message: string) => new AwsError({ code: 'ResourceInUse', message }),
  scalingActivityInProgress: (message: string) =>
    new AwsError({ code: 'ScalingActivityInProgress', message }),
  /** Sent when two updates meet; the caller tries again. */
  resourceContention: () =>
    new AwsError({
      code: 'ResourceContention',
      message:
        'You already have a pending update to an Amazon EC2 Auto Scaling resource (for example, an Auto Scaling group, instance, or load balancer).',
      statusCode: 500,
    }),
  refreshInProgress: () =>
    new AwsError({
      code: 'InstanceRefreshInProgress',
      message:
        'An Instance Refresh is already in progress and blocks the execution of this Instance Refresh.',
    }),
  /** In the words of the user guide, "How an instance refresh works", Limitations. */
  refreshHasConfiguration: () =>
    validation(
      'An active instance refresh with a desired configuration exists. All configuration options derived from the desired configuration are not available for update while the instance refresh is active.',
    ),
  launchSuspended: () => validation('The process Launch is suspended for the AutoScalingGroup.'),
  noActiveRefresh: (group: string) =>
    new AwsError({
      code: 'ActiveInstanceRefreshNotFound',
      message: `No in progress or pending Instance Refresh found for Auto Scaling group ${group}`,
    }),
};
