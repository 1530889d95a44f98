import { type HttpDoor, openHttpDoor } from '@drover/cloud-sandbox/wire';
import { createDashboard } from '../../../../../local/dashboard/dashboard.ts';
import { createPassLog } from '../../../../../local/dashboard/pass-log.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../../../local/world/drover-world.ts';
import { budget, create, deployment } from '../../../../../local/world/workloads.ts';

/** The dashboard on a simulated cloud whose time a test moves. */
export interface ShownWorld {
  readonly world: DroverWorld;
  readonly door: HttpDoor;
  /** Lets simulated seconds pass, and sends what came of them to the open pages. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** Two spot workers, and a pod that a budget holds on one of them. */
export async function showWorld(): Promise<ShownWorld> {
  const world = createDroverWorld();
  await create(world, deployment({ name: 'strict', replicas: 1 }), budget('strict', { minAvailable: 1 }));
  await withWorkers(world, { size: 2, spot: true });
  const looks = new Set<() => void>();
  const onFault = (fault: unknown): void => {
    throw fault;
  };
  const recent = () => {
    const log = createPassLog();
    for (const line of world.lines) log.write(JSON.stringify(line));
    return { passes: log.latest(), news: [] };
  };
  const answer = createDashboard({
    cloud: world,
    clock: world.clock,
    onFault,
    recent,
    repeat: (_, task) => {
      looks.add(task);
      return () => looks.delete(task);
    },
  });
  return {
    world,
    door: await openHttpDoor({ port: 0, answer, onFault }),
    pass: async (seconds) => {
      await world.timeline.pass(seconds);
      for (const look of looks) look();
    },
  };
}
