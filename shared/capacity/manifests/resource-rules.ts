import { type Finding, quantityOf } from './field-schemas.ts';

type Quantities = Readonly<Record<string, string | number>>;

/** Resources without a prefix. All others have the name of their vendor, such as nvidia.com/gpu. */
const ownResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage']);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isExtended = (name: string): boolean =>
  name.includes('/') && !name.split('/')[0]?.endsWith('kubernetes.io');

/** The rules between the requests and limits of a container (ValidateResourceRequirements of Kubernetes). */
export function* findingsInResources({
  requests = {},
  limits = {},
}: {
  readonly requests?: Quantities | undefined;
  readonly limits?: Quantities | undefined;
}): Iterable<Finding> {
  yield* findingsInList('requests', requests);
  yield* findingsInList('limits', limits);
  for (const [name, request] of Object.entries(requests)) {
    const limit = limits[name];
    // A resource that cannot be overcommitted.
    const isFixed = isExtended(name) || isHugePages(name);
    if (limit === undefined) {
      if (isFixed) yield { path: ['requests', name], message: 'needs a limit of the same number' };
      continue;
    }
    const [asked, most] = [quantityOf(request, finest), quantityOf(limit, finest)];
    if (typeof asked === 'string' || typeof most === 'string') continue;
    if (asked > most)
      yield { path: ['requests', name], message: `${request} is more than the limit ${limit}` };
    else if (isFixed && asked !== most)
      yield { path: ['requests', name], message: `${request} must be the same as the limit ${limit}` };
  }
}

/** Quantities are compared down to a billionth, as finely as the API server keeps them. */
const finest = 9;

function* findingsInList(list: string, quantities: Quantities): Iterable<Finding> {
  for (const [name, quantity] of Object.entries(quantities)) {
    if (!(name.includes('/') || ownResources.has(name) || isHugePages(name)))
      yield {
        path: [list, name],
        message: `there is no resource ${name}: write cpu, memory, ephemeral-storage, or a name such as nvidia.com/gpu`,
      };
    const amount = quantityOf(quantity, finest);
    if (isExtended(name) && typeof amount === 'bigint' && amount % 10n ** BigInt(finest) !== 0n)
      yield { path: [list, name], message: 'must be a whole number' };
  }
}
