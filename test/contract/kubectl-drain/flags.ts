/** The arguments of one drain, which kubectl and drover take alike. */
export type Flags = readonly string[];

const switches = ['--force', '--ignore-daemonsets', '--delete-emptydir-data', '--disable-eviction'];

/** A pod whose grace ended some seconds ago is late for the first, not for the second. */
const timeouts = ['--skip-wait-for-delete-timeout=5', '--skip-wait-for-delete-timeout=3600'];

const selectors = [
  'app=web',
  'app!=web',
  'app in (web,db)',
  'app notin (web, )',
  '!tier',
  'tier,app',
  'weight>4',
  'weight<6,tier=back',
  'app=',
].map((selector) => `--pod-selector=${selector}`);

/** Each switch on or off, late pods skipped or not, pods chosen by labels or not. */
const combinationCount = 2 ** (switches.length + 2);

/** One of them; what has values takes another with each variation. */
function flagsOf(combination: number, variation: number): Flags {
  const isOn = (bit: number): boolean => (combination & (1 << bit)) !== 0;
  return [
    ...switches.filter((_, bit) => isOn(bit)),
    ...(isOn(switches.length) ? pick(timeouts, variation) : []),
    ...(isOn(switches.length + 1) ? pick(selectors, variation) : []),
  ];
}

const pick = (values: readonly string[], variation: number): readonly string[] => {
  const start = variation % values.length;
  return values.slice(start, start + 1);
};

/** Some nodes, drained by one command. */
export interface DrainRun {
  readonly flags: Flags;
  /** Their numbers. */
  readonly nodes: readonly number[];
}

/** Drains each node so many times with other flags, so that each combination has its share of the nodes. */
export function drainRuns({
  nodeCount,
  drainsPerNode,
  nodesPerRun,
}: {
  readonly nodeCount: number;
  readonly drainsPerNode: number;
  readonly nodesPerRun: number;
}): readonly DrainRun[] {
  const drains = Array.from({ length: nodeCount * drainsPerNode }, (_, index) => index);
  // An odd step meets every combination before one comes again.
  const byCombination = Map.groupBy(drains, (index) => (index * 37) % combinationCount);
  return [...byCombination].flatMap(([combination, chosen]) => {
    const nodes = chosen.map((index) => Math.floor(index / drainsPerNode));
    return chunks(nodes, nodesPerRun).map((part, index) => ({
      flags: flagsOf(combination, combination + index),
      nodes: part,
    }));
  });
}

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
