import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import type { LeavingNotice, ReasonToLeave } from '../../../shared/passes/leaving-notice.ts';
import { again, done } from '../../../shared/passes/outcome.ts';
import { type PassLoopWorld, startLoop } from './loop.ts';

const stuck = 'i-0000000000000000a';
const free = 'i-0000000000000000b';

const notice = (instanceId: string, cause: ReasonToLeave, deadline?: string): LeavingNotice => ({
  cause,
  instanceId,
  noticedAt: '2026-01-05T08:00:00Z',
  ...(deadline && { deadline }),
});

/** What the loop of passes asks of FIFO queues, with the handler that is deployed: docs/adr/0006-the-pass-loop.md. */
export const passLoopCases: Cases<PassLoopWorld> = {
  'again brings the same subject back after its seconds, done ends it': async (world) => {
    const passes: number[] = [];
    const loop = await startLoop(world, () => {
      passes.push(world.clock.now());
      return passes.length < 3 ? again(2, 'not yet') : done('gone');
    });
    await loop.send(notice(stuck, 'terminating'));
    await loop.run(8);
    expect(passes).toHaveLength(3);
    const gaps = passes.slice(1).map((at, index) => at - (passes[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1900);
  },
  'a waiting subject holds up no other, and a second reason waits behind the first': async (world) => {
    const seen: string[] = [];
    const loop = await startLoop(world, (subject, causes) => {
      seen.push(`${subject.at(-1)} ${causes.toSorted().join('+')}`);
      return subject === stuck && causes.length < 2 ? again(2, 'held') : done('gone');
    });
    await loop.send(notice(stuck, 'terminating'));
    await loop.run(0.5);
    await loop.send(notice(stuck, 'spot-interruption', '2026-01-05T08:02:00Z'), notice(free, 'terminating'));
    await loop.run(1);
    expect(seen).toEqual(['a terminating', 'b terminating']);
    await loop.run(3);
    expect(seen).toEqual(['a terminating', 'b terminating', 'a spot-interruption+terminating']);
  },
  'the same reason sent twice is one message': async (world) => {
    const seen: string[] = [];
    const loop = await startLoop(world, (subject) => {
      seen.push(subject);
      return done('gone');
    });
    await loop.send(notice(free, 'terminating'), notice(free, 'terminating'));
    await loop.run(1);
    expect(seen).toEqual([free]);
  },
};
