import { type Command, InvalidArgumentError, Option } from 'commander';
import { mostPods } from '../../shared/capacity/manifests/workload.ts';
import { type AutoScalingFlags, withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { type ClusterFlags, withClusterFlags } from '../cluster-flags.ts';
import { namespaceName } from './namespace-name.ts';

/** The flags with which a plan reads the cluster and its groups. */
export interface RoomFlags extends AutoScalingFlags, ClusterFlags {
  /** False: nothing is read from AWS. */
  readonly groups: boolean;
}

/** The flags of `drover plan` as commander hands them over. */
export interface PlanFlags extends RoomFlags {
  readonly filename?: readonly string[];
  readonly replicas?: number;
  readonly times?: number;
  readonly pods?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly gpu?: number;
  readonly namespace?: string;
  readonly group?: readonly string[];
  readonly pending: boolean;
  readonly explain?: string;
  readonly json?: true;
}

/** Adds the flags; those of kubectl mean what they mean there. */
export const withPlanFlags = (command: Command): Command =>
  withClusterFlags(withAutoScalingFlags(command))
    .option(
      '-f, --filename <file>',
      'a file with manifests; - for standard input; may be given several times',
      collected,
    )
    .option('--replicas <number>', 'how many pods each workload shall have', podCount)
    .addOption(
      new Option('--times <factor>', 'the same as a factor of its replicas, such as 1.5')
        .argParser(factor)
        .conflicts('replicas'),
    )
    .option('--pods <number>', 'plan this number of pods of one size', podCount)
    .option('--cpu <quantity>', 'what each of the --pods requests, such as 500m')
    .option('--memory <quantity>', 'what each of the --pods requests, such as 1Gi')
    .option('--gpu <number>', 'how many nvidia.com/gpu each of the --pods requests', podCount)
    .option(
      '-n, --namespace <name>',
      'the namespace of workloads, which manifests may not contradict (default: that of the context)',
      namespaceName,
    )
    .addOption(
      new Option(
        '--group <name>',
        'only this group may grow; several times in order of preference (default: all worker groups by name)',
      )
        .argParser(collected)
        .conflicts('groups'),
    )
    .option('--no-groups', 'read nothing from AWS: only what fits in free room now')
    .option('--no-pending', 'leave out the pods that are Pending now')
    .option('--explain <pod>', 'say why this pod, NAME or NAMESPACE/NAME, is placed as it is')
    .option('--json', 'print JSON');

const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/** @throws InvalidArgumentError, which commander turns into a usage error. */
function podCount(text: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= mostPods) return Number(text);
  throw new InvalidArgumentError(`write a whole number up to ${mostPods}, such as 40`);
}

/** @throws InvalidArgumentError, which commander turns into a usage error. */
function factor(text: string): number {
  if (!/^\d{1,4}(?:\.\d{1,4})?$/.test(text))
    throw new InvalidArgumentError('write a number below 10000 with at most four decimals, such as 1.5');
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('it must be more than 0; without pods there is nothing to plan');
}
