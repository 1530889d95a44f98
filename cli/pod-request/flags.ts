import { type Command, InvalidArgumentError } from 'commander';
import { mostHeldPods } from '../../shared/capacity/pod-holds/bounds.ts';
import { namespaceName } from '../plan/namespace-name.ts';

/** The flags that ask for pods instead of a number of nodes. */
export interface PodFlags {
  readonly forPods?: true;
  readonly filename?: readonly string[];
  readonly workload?: string;
  readonly pods?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly gpu?: number;
  readonly namespace?: string;
  readonly headroom?: true;
}

/** Adds the flags; those of kubectl and `drover plan` mean what they mean there. */
export const withPodFlags = (command: Command): Command =>
  command
    .option('--for-pods', 'ask for room for the pods of one workload, instead of a number of nodes')
    .option(
      '-f, --filename <file>',
      'a file with its manifest; - for standard input; may be given several times',
      collected,
    )
    .option('--workload <kind/name>', 'which workload of the manifests, such as deployment/web')
    .option(
      '--pods <number>',
      'how many pods in all, those that run included; default: the replicas of the manifest',
      podCount,
    )
    .option('--cpu <quantity>', 'without -f: what each of the --pods requests, such as 500m')
    .option('--memory <quantity>', 'without -f: what each of the --pods requests, such as 1Gi')
    .option('--gpu <number>', 'without -f: how many nvidia.com/gpu each of the --pods requests', gpuCount)
    .option(
      '-n, --namespace <name>',
      'the namespace of the pods, which a manifest may not contradict; default: that of the context',
      namespaceName,
    )
    .option('--headroom', 'room for so many pods at all times, whichever pods run');

const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/** @throws InvalidArgumentError, which commander turns into a usage error. */
const podCount = (text: string): number => wholeNumber(text, { least: 1, most: mostHeldPods });
const gpuCount = (text: string): number => wholeNumber(text, { least: 1, most: 64 });

function wholeNumber(
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`write a whole number from ${least} to ${most}`);
}
