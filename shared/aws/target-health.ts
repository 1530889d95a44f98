import type { TargetHealth } from '../lifecycle/target-health.ts';
import type { LoadBalancingApi } from './api/load-balancing-api.ts';
import { hasCode } from './errors.ts';

/** Target health over the API of Elastic Load Balancing. A target group or target that is not there is not waited for. */
export function createTargetHealth(api: LoadBalancingApi): TargetHealth {
  const isDraining = async (targetGroupArn: string, instanceId: string): Promise<boolean> => {
    try {
      const answer = await api.call('DescribeTargetHealth', {
        TargetGroupArn: targetGroupArn,
        Targets: [{ Id: instanceId }],
      });
      return answer.TargetHealthDescriptions.some((target) => target.TargetHealth?.State === 'draining');
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
