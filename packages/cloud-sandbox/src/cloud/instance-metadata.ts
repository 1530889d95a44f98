import { createMetadataService, type MetadataService } from '../aws/ec2/metadata-service.ts';
import type { Clock } from '../simulation/clock.ts';
import type { Account } from './account.ts';

const credentialSeconds = 6 * 3600;

/**
 * The metadata service of an instance of the account. The role of an instance profile has the profile's name.
 *
 * @throws RangeError if there is no such instance
 */
export function instanceMetadata(account: Account, instanceId: string): MetadataService {
  const { autoScaling, clock, ec2, iam, random, region, accountId } = account;
  const instance = () => {
    const found = ec2.instances.find(instanceId);
    if (found === undefined) throw new RangeError(`there is no instance ${instanceId}`);
    return found;
  };
  instance();
  return createMetadataService({
    clock,
    random,
    region,
    instance,
    lifecycleOf: (id) => {
      const member = autoScaling.operations.DescribeAutoScalingInstances({ InstanceIds: [id] })
        .AutoScalingInstances?.[0];
      if (member?.LifecycleState === undefined) return undefined;
      const { WarmPoolConfiguration: pool } = autoScaling.operations.DescribeWarmPool({
        AutoScalingGroupName: member.AutoScalingGroupName,
      });
      return {
        state: member.LifecycleState,
        poolState: pool?.PoolState ?? 'Stopped',
      };
    },
    roleOf: ({ iamInstanceProfileArn: arn }) => {
      const name = arn?.split('/').at(-1);
      const role = name === undefined ? undefined : iam.role(`arn:aws:iam::${accountId}:role/${name}`);
      if (role === undefined || name === undefined) return undefined;
      return {
        name,
        credentials: () => credentialsOf({ iam, clock, roleArn: role.arn, sessionName: instanceId }),
      };
    },
  });
}

/** Named for the instance, as EC2 names sessions. */
function credentialsOf({
  iam,
  clock,
  ...session
}: {
  readonly iam: Account['iam'];
  readonly clock: Clock;
  readonly roleArn: string;
  readonly sessionName: string;
}): object {
  const issued = iam.issueCredentials({ ...session, durationSeconds: credentialSeconds });
  return {
    Code: 'Success',
    LastUpdated: new Date(clock.now()).toISOString(),
    Type: 'AWS-HMAC',
    AccessKeyId: issued.accessKeyId,
    SecretAccessKey: issued.secretAccessKey,
    Token: issued.sessionToken,
    Expiration: new Date(clock.now() + credentialSeconds * 1000).toISOString(),
  };
}
