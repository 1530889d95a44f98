import {
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth } from '../groups/target-health.ts';
import { hasCode, required } from './errors.ts';

/** Target health over the API of Elastic Load Balancing. A target group or target that is not there is not waited for. */
export function createTargetHealth(client: ElasticLoadBalancingV2Client): TargetHealth {
  const isDraining = async (targetGroupArn: string, instanceId: string): Promise<boolean> => {
    try {
      const { TargetHealthDescriptions, $metadata } = await client.send(
        new DescribeTargetHealthCommand({ TargetGroupArn: targetGroupArn, Targets: [{ Id: instanceId }] }),
      );
      const targets = required(TargetHealthDescriptions, { name: 'TargetHealthDescriptions', $metadata });
      return targets.some((target) => target.TargetHealth?.State === 'draining');
    } catch (error) {
      if (
        hasCode(
          error,
          'TargetGroupNotFoundException',
          'TargetGroupNotFound',
          'InvalidTargetException',
          'InvalidTarget',
        )
      )
        return false;
      throw error;
    }
  };
  return {
    draining: async ({ instanceId, targetGroupArns }) => {
      const answers = await Promise.all(
        targetGroupArns.map(async (arn) => ({ arn, waits: await isDraining(arn, instanceId) })),
      );
      return answers.filter((answer) => answer.waits).map((answer) => answer.arn);
    },
  };
}
