import { TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubernetes, nodeTerminationHandler } from '../../../real/programs.ts';
import type { Claim } from '../../../truth/claim.ts';
import {
  fill,
  type Member,
  memberOf,
  openPlay,
  type Play,
  patience,
  podsOn,
  readyPods,
  stateOf,
  taintsOf,
} from './termination-handler/play.ts';
import { hookName, queueAttributes, statesOf } from './termination-handler/stage.ts';

const missing = nodeTerminationHandler.missing ?? kubernetes.missing;

const claimed = (behaviour: string): [string, { readonly meta: { readonly claim: Claim } }] => [
  behaviour,
  {
    meta: {
      claim: {
        area: 'AWS Node Termination Handler',
        behaviour,
        world: 'AWS Node Termination Handler 1.25.6',
      },
    },
  },
];

describe.skipIf(missing !== undefined)(
  `AWS Node Termination Handler${missing === undefined ? '' : `, which is not installed: ${missing}`}`,
  () => {
    let play: Play;
    let leaving: Member;

    beforeAll(async () => {
      play = await openPlay();
    });
    afterAll(() => play?.close());

    test(...claimed('hears of a termination from its own rule and queue, and closes the node'), async () => {
      leaving = await memberOf(play);
      await fill(play, leaving);
      await play.autoScaling.send(
        new TerminateInstanceInAutoScalingGroupCommand({
          InstanceId: leaving.instanceId,
          ShouldDecrementDesiredCapacity: false,
        }),
      );
      await expect
        .poll(() => taintsOf(play, leaving), patience)
        .toContain('aws-node-termination-handler/asg-lifecycle-termination');
      await expect
        .poll(() => play.kubectl(`get node ${leaving.node}`), patience)
        .toContain('SchedulingDisabled');
      expect((await statesOf(play))[leaving.instanceId]).toBe('Terminating:Wait');
    });

    test(...claimed('evicts the pods within their budget, and leaves those of daemon sets'), async () => {
      let fewest = Number.POSITIVE_INFINITY;
      const remaining = async (): Promise<string> => {
        fewest = Math.min(fewest, await readyPods(play));
        return podsOn(play, leaving);
      };
      await expect.poll(remaining, patience).toBe('');
      expect(fewest).toBeGreaterThanOrEqual(3);
      const agents = await play.kubectl(
        `get pods -n kube-system --field-selector spec.nodeName=${leaving.node} -o name`,
      );
      expect(agents).toMatch(/^pod\/log-agent-/);
      await expect
        .poll(() => play.kubectl(`events --for node/${leaving.node}`), patience)
        .toMatch(/CordonAndDrain/);
    });

    test(
      ...claimed('completes its own hook hours before its end, and takes its message off the queue'),
      async () => {
        await expect.poll(() => stateOf(play, leaving), patience).toBe('terminated');
        const said = play.handler.lastWords();
        expect(said).toContain('Completed ASG Lifecycle Hook');
        expect(said).toContain(`instanceID=${leaving.instanceId}`);
        expect(said).toContain(`lifecycleHookName=${hookName}`);
        await expect
          .poll(() => queueAttributes(play), patience)
          .toMatchObject({
            ApproximateNumberOfMessages: '0',
            ApproximateNumberOfMessagesNotVisible: '0',
          });
        expect(play.sandbox.problems).toEqual([]);
      },
    );

    test(...claimed('drains the node of a spot instance on the warning that EC2 takes it back'), async () => {
      const spot = await memberOf(play);
      await fill(play, spot);
      // Twelve seconds of ours are left, and NTH asks again after five where a budget holds.
      await play.kubectl('delete poddisruptionbudget served');
      play.sandbox.cloud.account.ec2.accidents.interruptSpot(spot.instanceId);
      await expect
        .poll(() => taintsOf(play, spot), patience)
        .toContain('aws-node-termination-handler/spot-itn');
      await expect.poll(() => podsOn(play, spot), patience).toBe('');
      expect(play.handler.hasExited()).toBe(false);
    });
  },
);
