import { AwsError } from '@drover/cloud-sandbox/aws';
import { expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { kubeconfigFor } from '../../support.ts';

it('drover status --all reads the scheduled actions of the account again after AWS has throttled them', async () => {
  let isThrottled = false;
  const refused: string[] = [];
  const world = createDroverWorld({
    weather: {
      strike: ({ what, caller }) => {
        if (!isThrottled || caller !== 'operator' || what !== 'autoscaling DescribeScheduledActions')
          return undefined;
        refused.push(what);
        return { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) };
      },
    },
  });
  await withWorkers(world, { size: 1 });
  isThrottled = true;
  const drover = operatorOf(world, {
    files: {
      '/home/ana/.kube/config': kubeconfigFor(world.kubernetes.adminToken).replace(
        /contexts:.*/,
        'contexts: [{ name: drover, context: { cluster: sandbox, user: admin } }]',
      ),
    },
    environment: { DROVER_CLUSTER: undefined },
    pause: () => {
      isThrottled = false;
      return Promise.resolve();
    },
  });
  const { code, out } = await drover('status --all');
  expect(refused.length).toBeGreaterThan(0);
  expect(out).toMatch(/drover .* ok\n/);
  expect(code).toBe(0);
});
