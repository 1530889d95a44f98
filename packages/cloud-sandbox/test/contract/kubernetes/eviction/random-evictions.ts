import type { BareCluster } from '../bare-cluster.ts';
import { randomNamespaces } from './random-namespace.ts';
import { sandboxApi } from './sandbox-api.ts';
import { type Asked, type Counted, createTwin, type Twin } from './twins.ts';

/** What one cluster said, with the numbers of the disruption controller and with numbers written by hand. */
interface Said {
  readonly statuses: readonly Counted[];
  readonly counted: readonly Asked[];
  readonly written: readonly Asked[];
}

export interface RandomEvictions {
  readonly real: Said;
  readonly sandbox: Said;
}

/** Fills both clusters alike, and asks for the eviction of every pod twice. Ends the controllers of the real one. */
export async function evictAtRandom(
  { api, controlPlane }: BareCluster,
  { namespaceCount, seed }: { readonly namespaceCount: number; readonly seed: number },
): Promise<RandomEvictions> {
  const descriptions = randomNamespaces(namespaceCount, seed);
  const real = await createTwin(api, descriptions);
  const sandbox = await createTwin(sandboxApi(['disruption-controller']), descriptions);
  const [realBefore, sandboxBefore] = [await countedBy(real), await countedBy(sandbox)];
  await controlPlane.stopControllers();
  const [realAfter, sandboxAfter] = [await writtenBy(real), await writtenBy(sandbox)];
  return {
    real: { ...realBefore, written: realAfter },
    sandbox: { ...sandboxBefore, written: sandboxAfter },
  };
}

async function countedBy(twin: Twin): Promise<Omit<Said, 'written'>> {
  await twin.createBudgets();
  return { statuses: await twin.countedStatuses(), counted: await twin.evictAll() };
}

async function writtenBy(twin: Twin): Promise<readonly Asked[]> {
  await twin.writeStatuses();
  return await twin.evictAll();
}
