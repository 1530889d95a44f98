import { execFile } from 'node:child_process';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import type { Flags } from './flags.ts';
import type { Outcome, Refusal } from './outcome.ts';

/** What kubectl wrote about the pods that it named, by their names. */
export interface KubectlWords {
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly others: ReadonlyMap<string, Outcome>;
}

export interface KubectlDrain {
  readonly kubeconfig: string;
  /** The folder in which kubectl may cache what it discovers about the API. */
  readonly cacheDirectory: string;
  readonly nodeNames: readonly string[];
  readonly flags: Flags;
}

/** Runs `kubectl drain --dry-run=server`, which asks the API server about each pod with dryRun=All. */
export async function kubectlDrain(drain: KubectlDrain): Promise<KubectlWords> {
  const { kubeconfig, cacheDirectory, nodeNames, flags } = drain;
  const where = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${cacheDirectory}`];
  // Held pods are asked for again until the time is over. With -v=6 it logs its requests: from 1.37 on it does not name the pods that it
  // would delete with --disable-eviction, but still sends their deletions.
  const how = ['--dry-run=server', '--timeout=1s', '-v=6'];
  return readWords(await run([...where, 'drain', ...nodeNames, ...how, ...flags]));
}

/** Both streams; it fails where a node is not drained, which is no failure here. */
const run = (line: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program(kubernetes, 'kubectl'), line, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(error);
      else resolve(`${stdout}\n${stderr}`);
    });
  });

const refusals: readonly (readonly [RegExp, Refusal])[] = [
  [/^DaemonSet-managed Pods \(use --ignore-daemonsets/, 'daemon set'],
  [/^daemonsets\.apps "\S+" not found$/, 'daemon set is gone'],
  [/^Pods with local storage \(use --delete-emptydir-data/, 'local storage'],
  // "cannot delete" is said once from 1.36 on.
  [/^(?:cannot delete )?Pods that declare no controller \(use --force/, 'no controller'],
];

/** The later ones go before: a pod is named when it is asked for, and again for what is special about it. */
const patterns: readonly (readonly [RegExp, Outcome])[] = [
  [/^evicting pod ([\w.-]+\/[\w.-]+) \(server dry run\)$/gm, 'is evicted'],
  [
    /deleting Pods that declare no controller: ((?:[\w.-]+\/[\w.-]+(?:, )?)+)/g,
    'is evicted, without a controller',
  ],
  [/verb="DELETE" url="[^"]*\/pods\/([\w.-]+)" status="200 /g, 'is deleted'],
  [/ignoring DaemonSet-managed Pods: ((?:[\w.-]+\/[\w.-]+(?:, )?)+)/g, 'stays: daemon set'],
  [
    /^error when evicting pods\/"(\S+)" -n "\S+" \(will retry after 5s\): Cannot evict/gm,
    'is held by a budget',
  ],
  [/error when evicting pods\/"(\S+)" -n "\S+": This pod has more than one/g, 'has several budgets'],
];

const refusalPattern = /cannot delete (.+?): ((?:[\w.-]+\/[\w.-]+(?:, )?)+)/g;

export function readWords(text: string): KubectlWords {
  const others = patterns.flatMap(([pattern, outcome]) =>
    [...text.matchAll(pattern)].flatMap(([, names]) =>
      namesIn(names).map((name) => [name, outcome] as const),
    ),
  );
  const refusing = [...text.matchAll(refusalPattern)].flatMap(([, why, names]) =>
    namesIn(names).map((name) => [name, refusalOf(why)] as const),
  );
  return { refusals: new Map(refusing), others: new Map(others) };
}

/** The names in `shop/web-1, shop/web-2` or `web-1`. */
const namesIn = (text = ''): readonly string[] =>
  text
    .split(', ')
    .filter(Boolean)
    .map((name) => name.slice(name.indexOf('/') + 1));

function refusalOf(why = ''): Refusal {
  const known = refusals.find(([pattern]) => pattern.test(why));
  if (!known) throw new Error(`kubectl refuses for a reason of which nothing is known: ${why}`);
  return known[1];
}
