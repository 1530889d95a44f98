import { type AutoScalingClient, SetDesiredCapacityCommand } from '@aws-sdk/client-auto-scaling';
import { type Groups, GroupsError, type GroupsErrorCode } from '../capacity/groups.ts';
import { describeGroups, readGroups } from './auto-scaling.ts';
import { hasCode, isContended, isThrottled, statusOf } from './errors.ts';

export interface GroupsOptions {
  readonly client: AutoScalingClient;
  readonly clusterName: string;
}

/** The groups' capacity over Auto Scaling's API; nothing is cached. */
export function createGroups({ client, clusterName }: GroupsOptions): Groups {
  return {
    listGroups: () => translated(() => readGroups(client, clusterName)),
    describeGroup: async (autoScalingGroupName) => {
      const input = { AutoScalingGroupNames: [autoScalingGroupName] };
      return (await translated(() => describeGroups(client, input))).groups[0];
    },
    setDesiredCapacity: async (autoScalingGroupName, desiredCapacity) => {
      const input = {
        AutoScalingGroupName: autoScalingGroupName,
        DesiredCapacity: desiredCapacity,
        HonorCooldown: false,
      };
      await translated(() => client.send(new SetDesiredCapacityCommand(input)));
    },
  };
}

async function translated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === undefined) throw cause;
    throw new GroupsError(code, messages[code], { cause });
  }
}

/** ValidationError is Auto Scaling's word for a group that is not there and for a value out of bounds alike. */
function codeOf(error: unknown): GroupsErrorCode | undefined {
  if (isThrottled(error)) return 'throttled';
  if (isContended(error)) return 'busy';
  if (isUnavailable(error)) return 'unavailable';
  if (hasCode(error, 'AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation')) return 'denied';
  if (!hasCode(error, 'ValidationError')) return undefined;
  const message = String(error);
  if (/pending delete/i.test(message)) return 'busy';
  return /not found/i.test(message) ? 'gone' : 'invalid';
}

/** The connection broke, no answer came in time, or the server failed. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== undefined) return status >= 500;
  const code = 'code' in error ? error.code : undefined;
  return error.name === 'TimeoutError' || (typeof code === 'string' && /^(?:E[A-Z_]+)$/.test(code));
}

/** In our words: AWS names ARNs of roles in its own, which are the operator's and not every caller's to read. */
const messages: Readonly<Record<GroupsErrorCode, string>> = {
  busy: 'Auto Scaling is in the middle of something with this group; ask again later',
  unavailable:
    'Auto Scaling does not answer; a change may have been made or not, and can be asked for again without harm',
  throttled: 'Auto Scaling takes no more calls at this moment; ask again later',
  gone: 'the group is not there any more',
  invalid: 'Auto Scaling does not take this capacity; its bounds may have changed since they were read',
  denied:
    'the role of the scale-api function may not do this to the group; see the ScaleApiRole of the deployment',
};
