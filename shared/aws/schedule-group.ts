import {
  GetScheduleGroupCommand,
  ListTagsForResourceCommand,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { hasCode } from './errors.ts';
import { required } from './unreadable-answer.ts';

/** The schedule group of a cluster. */
export interface ScheduleGroup {
  readonly client: SchedulerClient;
  readonly groupName: string;
}

/** What the schedules of a group start, and the role with which Scheduler does it. */
export interface ScheduleTarget {
  readonly functionArn: string;
  readonly roleArn: string;
}

/** The tags in which the deployment names both. */
const functionTag = 'drover.dev/schedule-function';
const roleTag = 'drover.dev/schedule-role';

/**
 * The target of new schedules.
 *
 * @throws NoScheduleGroupError
 */
export async function readScheduleTarget({ client, groupName }: ScheduleGroup): Promise<ScheduleTarget> {
  const { Arn: arn, $metadata } = await inGroup(groupName, () =>
    client.send(new GetScheduleGroupCommand({ Name: groupName })),
  );
  const ResourceArn = required(arn, { name: 'Arn', $metadata });
  const { Tags = [] } = await client.send(new ListTagsForResourceCommand({ ResourceArn }));
  const tagged = (key: string): string | undefined => Tags.find(({ Key }) => Key === key)?.Value;
  const [functionArn, roleArn] = [tagged(functionTag), tagged(roleTag)];
  if (functionArn === undefined || roleArn === undefined) throw new NoScheduleGroupError(groupName);
  return { functionArn, roleArn };
}

/** The cluster has no schedule group of a deployment: that is missing, or older than schedules. */
export class NoScheduleGroupError extends Error {
  override readonly name = 'NoScheduleGroupError';

  constructor(groupName: string, options?: ErrorOptions) {
    super(
      `no deployment of Drover has made a schedule group ${groupName} in this account and region: check the cluster and the region, or deploy this version`,
      options,
    );
  }
}

/** @throws NoScheduleGroupError where Scheduler does not find the group. */
export async function inGroup<Answer>(groupName: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (hasCode(cause, 'ResourceNotFoundException')) throw new NoScheduleGroupError(groupName, { cause });
    throw cause;
  }
}
