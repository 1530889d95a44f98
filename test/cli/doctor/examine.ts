import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

/** Keeps a group from being deleted with its instances. */
export const protection = { DeletionProtection: 'prevent-force-deletion' } as const;

/** A world in which `drover doctor` finds nothing to fix and gives no advice. */
export async function createHealthyWorld(): Promise<DroverWorld> {
  const world = createDroverWorld();
  await withWorkers(world, { size: 2, settings: protection });
  await operatorOf(world)('hooks install workers --joining');
  await world.timeline.pass(61 * 60);
  return world;
}

/** Runs `drover doctor --json`; `wrong` has the findings that are not ok. */
export async function examine(world: DroverWorld) {
  const { code, out, err } = await operatorOf(world)('doctor --json');
  const report = JSON.parse(out) as DoctorReport;
  const wrong = report.findings.filter(({ verdict }) => verdict !== 'ok');
  return { code, err, report, wrong };
}
