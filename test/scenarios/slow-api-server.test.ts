import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  hookName,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf, passesOf } from '../support/observed-instance.ts';

interface Sickness {
  readonly name: string;
  readonly strike?: Strike;
  readonly answersAfterMilliseconds?: number;
}

const sicknesses: readonly Sickness[] = [
  { name: 'answers after 7 s', answersAfterMilliseconds: 7000 },
  { name: 'does every request and answers after 21 s', answersAfterMilliseconds: 21_000 },
  { name: 'hangs', strike: { kind: 'hang-before' } },
];

/** As long as a wait with so short a timeout lasts, less the time to drain; an hour if it lasts longer. */
const sickSecondsOf = (heartbeatTimeoutSeconds: number): number =>
  Math.min(3600, heartbeatTimeoutSeconds * 70);

const timeouts = [30, 120, 300, 3600];

/** Two of three workers leave, one of them seconds later, while the API server is sick. */
async function leaveDuring(sickness: Sickness, heartbeatTimeoutSeconds: number) {
  let isSick = false;
  const concerns = ({ to, caller }: Pick<CallInFlight, 'to' | 'caller'>): boolean =>
    isSick && to === 'kubernetes' && caller === 'node-leaving';
  const world = createDroverWorld({
    weather: {
      strike: (call) => (concerns(call) ? sickness.strike : undefined),
      latencyMilliseconds: (call) =>
        concerns(call) ? { afterMilliseconds: sickness.answersAfterMilliseconds ?? 0 } : 0,
    },
  });
  const [one = '', other = ''] = await withWorkers(world, {
    size: 3,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    tags: { 'drover.dev/drain-timeout': '3h' },
  });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  const nodes = [one, other].map((instanceId) => nodeNameOf(world, instanceId));
  isSick = true;
  for (const instanceId of [one, other]) {
    terminate(world, instanceId, { replace: false });
    await world.timeline.pass(7);
  }
  return { world, leaving: [one, other], nodes, recover: () => void (isSick = false) };
}

describe.each(sicknesses)('while the API server $name', (sickness) => {
  it.each(timeouts)('no wait with a heartbeat timeout of %d s is lost', async (heartbeatTimeoutSeconds) => {
    const { world, leaving, nodes, recover } = await leaveDuring(sickness, heartbeatTimeoutSeconds);
    const isHeld = (instanceId: string): boolean => stateOf(world, instanceId) === 'Terminating:Wait';
    const isCompleted = (instanceId: string): boolean =>
      passesOf(world, instanceId).some(({ reason }) => /its hook is completed/.test(String(reason)));
    for (let seconds = 0; seconds < sickSecondsOf(heartbeatTimeoutSeconds); seconds += 30) {
      await world.timeline.pass(30);
      for (const instanceId of leaving) expect(isHeld(instanceId) || isCompleted(instanceId)).toBe(true);
    }
    if (sickness.answersAfterMilliseconds === 7000) expect(leaving.every(isCompleted)).toBe(true);
    recover();
    await world.timeline.pass(400);
    for (const instanceId of leaving) expect(isCompleted(instanceId)).toBe(true);
    for (const node of nodes) {
      expect(nodesOf(world)).not.toContain(node);
      expect(podsOn(world, node)).toEqual([]);
    }
    expect(world.problems).toEqual([]);
  });
});

interface Slowness {
  readonly apiServerSeconds: number;
  readonly awsSeconds: number;
  /** One pass is killed at this request to the API server. */
  readonly killedAt?: number;
}

describe('while answers take seconds', () => {
  const leaving = 10;

  /** Ten of twenty workers leave at once. */
  async function leaveTogether({ apiServerSeconds, awsSeconds, killedAt }: Slowness) {
    let requests = Infinity;
    let completions = 0;
    const isOfLeaving = ({ caller }: Pick<CallInFlight, 'caller'>): boolean =>
      requests < Infinity && caller === 'node-leaving';
    const concerns = (call: Pick<CallInFlight, 'to' | 'caller'>): boolean =>
      call.to === 'kubernetes' && isOfLeaving(call);
    const secondsOf = ({ to }: CallInFlight): number => (to === 'kubernetes' ? apiServerSeconds : awsSeconds);
    const strike = (call: CallInFlight): Strike | undefined => {
      if (!concerns(call)) return undefined;
      requests += 1;
      return requests === killedAt ? { kind: 'kill-after' } : undefined;
    };
    const world = createDroverWorld({
      weather: {
        strike,
        latencyMilliseconds: (call) =>
          isOfLeaving(call) ? { afterMilliseconds: secondsOf(call) * 1000 } : 0,
        onCall: ({ what }) => {
          if (what === 'autoscaling CompleteLifecycleAction') completions += 1;
        },
      },
    });
    const ids = await withWorkers(world, {
      size: 2 * leaving,
      hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
    });
    await run(world, deployment({ name: 'web', replicas: 60 }));
    requests = 0;
    for (const id of ids.slice(0, leaving)) terminate(world, id, { replace: false });
    return { world, completions: () => completions };
  }

  it.each<Slowness>([
    { apiServerSeconds: 7, awsSeconds: 0 },
    { apiServerSeconds: 8, awsSeconds: 0 },
    { apiServerSeconds: 7, awsSeconds: 0, killedAt: 25 },
    { apiServerSeconds: 7, awsSeconds: 1 },
    { apiServerSeconds: 7, awsSeconds: 2 },
    { apiServerSeconds: 7, awsSeconds: 2, killedAt: 25 },
    { apiServerSeconds: 7, awsSeconds: 3 },
    { apiServerSeconds: 8, awsSeconds: 2 },
    { apiServerSeconds: 8, awsSeconds: 3 },
  ])(
    'of the API server $apiServerSeconds s and AWS $awsSeconds s, ten nodes leave within ten minutes, and no pod is forced (killed at: $killedAt)',
    async (slowness) => {
      const { world, completions } = await leaveTogether(slowness);
      await world.timeline.until(() => membersOf(world).length === leaving, {
        withinSeconds: 600,
        what: 'the end of ten instances',
      });
      expect(completions()).toBeGreaterThanOrEqual(leaving);
      expect(nodesOf(world)).toHaveLength(leaving);
      expect(world.lines.filter(({ PodsForced = 0 }) => Number(PodsForced) > 0)).toEqual([]);
    },
  );
});
