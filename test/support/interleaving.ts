import { setImmediate as turn } from 'node:timers/promises';
import type { Machine } from '../../cli/context.ts';
import type { DroverWorld } from '../../local/world/drover-world.ts';

type Doors = Pick<Machine, 'awsRequestHandler' | 'sendHttp' | 'pause'>;

/** What a run is about to do when its turn comes. */
export interface Turn {
  readonly run: string;
  readonly what: 'aws' | 'http' | 'pause';
}

/**
 * Machines of several operators whose calls and pauses are made one at a time, in an order that `choose` decides among those that wait. Time
 * passes only in pauses.
 */
export function createInterleaving(
  { timeline, doors }: DroverWorld,
  {
    choose,
    onTurn = () => {},
  }: { readonly choose: (count: number) => number; readonly onTurn?: (turn: Turn) => void },
) {
  const waiting: (Turn & { readonly go: () => Promise<void> })[] = [];
  const inTurn = <Value>(turnOf: Turn, work: () => Promise<Value>): Promise<Value> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const go = async (): Promise<void> => {
      try {
        onTurn(turnOf);
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    };
    waiting.push({ ...turnOf, go });
    return promise;
  };
  const machineOf = (run: string): Required<Doors> => {
    const { awsRequestHandler, sendHttp } = doors('operator');
    return {
      awsRequestHandler: {
        handle: (request, options) =>
          inTurn({ run, what: 'aws' }, () => awsRequestHandler.handle(request, options)),
      },
      sendHttp: (request) => inTurn({ run, what: 'http' }, () => sendHttp(request)),
      pause: (milliseconds) => inTurn({ run, what: 'pause' }, () => timeline.pass(milliseconds / 1000)),
    };
  };
  /** Gives turns until all runs have ended. */
  const settle = async <Result>(runs: readonly Promise<Result>[]): Promise<readonly Result[]> => {
    const ended = Promise.all(runs);
    const state = { isOver: false };
    const over = ended.finally(() => {
      state.isOver = true;
    });
    // It is awaited below: until then Node must not take it for unhandled.
    over.catch(() => undefined);
    while (!state.isOver) {
      // What was answered may lead to the next call within a few turns of the event loop.
      for (let turns = 0; turns < 4; turns += 1) await turn();
      const [next] = waiting.splice(choose(waiting.length), 1);
      await next?.go();
    }
    return await over;
  };
  return { machineOf, settle };
}

/** Takes the choices in turn, again and again. */
export function chooser(picks: readonly number[]): (count: number) => number {
  let nth = 0;
  return (count) => (picks[nth++ % picks.length] ?? 0) % Math.max(1, count);
}

/** Deletions of a hook while an instance of its group waits. */
export function cutWaits({ account }: DroverWorld): string[] {
  const cut: string[] = [];
  const { operations } = account.autoScaling;
  const original = operations.DeleteLifecycleHook;
  operations.DeleteLifecycleHook = (input) => {
    const waits = operations
      .DescribeAutoScalingInstances({})
      .AutoScalingInstances.filter(
        (one) =>
          one.AutoScalingGroupName === input.AutoScalingGroupName && one.LifecycleState?.endsWith(':Wait'),
      );
    cut.push(...waits.map(({ InstanceId = '' }) => InstanceId));
    return original(input);
  };
  return cut;
}
